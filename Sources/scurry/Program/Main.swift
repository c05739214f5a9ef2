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
        let code = await Program(environment: .ofProcess()).run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
