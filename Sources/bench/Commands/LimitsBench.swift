import ArgumentParser

// usage: bench limits [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct LimitsBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "What this machine can do at best of what a post costs.",
        discussion: """
            Example: bench limits --posts 100000 --writers 1000 --json

            Signatures checked, entries hashed and bytes sealed by libsodium on one thread; posts put into the store's own \
            tables through SQLite's C functions, ten thousand a transaction; bytes over one loopback connection.
            """
    )

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            let limits = try MachineLimits(posts: size.posts, writers: size.writers, bytes: size.bytes)
            var figures = Figures()
            figures.add("verifications_per_second", limits.verifications)
            figures.add("entry_hashes_per_second", limits.entryHashes)
            figures.add("sealed_megabytes_per_second", limits.sealedBytes / 1e6)
            figures.add("sqlite_posts_per_second", limits.inserts)
            figures.add("sqlite_cpu_microseconds_per_post", limits.insertMicroseconds)
            figures.add("loopback_megabytes_per_second", limits.loopbackBytes / 1e6)
            return figures
        }
    }
}
