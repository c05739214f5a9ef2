#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The program: parses its arguments, runs one command, and ends with its exit code.
@main
struct Main {
    static func main() async {
        Descriptor.holdStandardStreams()
        Descriptor.ignoreBrokenPipes()
        // SQLite creates files with the default permissions: a home must be its owner's alone, whatever its folder
        // permits.
        umask(0o077)
        let environment = Environment.ofProcess()
        if let failure = environment.failure {
            let errors = Output.standardError(environment: environment, colour: .auto)
            try? errors.write(failure.lines())
            try? errors.flush()
            exit(failure.code.rawValue)
        }
        let program = Program(environment: environment)
        // `CommandLine` would replace invalid UTF-8 by U+FFFD, which would then be signed.
        let isText = (0..<Int(CommandLine.argc)).allSatisfy { place in
            CommandLine.unsafeArgv[place].map { String(validatingCString: $0) != nil } ?? true
        }
        let code = isText ? await program.run(Array(CommandLine.arguments.dropFirst())) : program.refuseArguments()
        exit(code.rawValue)
    }
}
