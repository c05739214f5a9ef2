#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The program: reads its arguments, does one command, and says by its exit code how that went.
@main
struct Main {
    static func main() async {
        Descriptor.holdStandardStreams()
        Descriptor.ignoreBrokenPipes()
        // SQLite makes its files as wide as the system lets it: a home is its owner's alone, whatever happens to its folder.
        umask(0o077)
        let program = Program(environment: .ofProcess())
        // `CommandLine` would put U+FFFD for what is no text, and that would be signed.
        let isText = (0..<Int(CommandLine.argc)).allSatisfy { place in
            CommandLine.unsafeArgv[place].map { String(validatingCString: $0) != nil } ?? true
        }
        let code = isText ? await program.run(Array(CommandLine.arguments.dropFirst())) : program.refuseArguments()
        exit(code.rawValue)
    }
}
