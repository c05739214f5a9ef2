#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The program: reads its arguments, does one command, and says by its exit code how that went.
@main
struct Main {
    static func main() async {
        Descriptor.ignoreBrokenPipes()
        let code = await Program(environment: .ofProcess()).run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
