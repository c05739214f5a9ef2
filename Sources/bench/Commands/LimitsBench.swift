import ArgumentParser

// usage: bench limits [--posts N] [--writers N] [--bytes N] [--runs N] [--json]

struct LimitsBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "What this machine can do at best of what a post costs.",
        discussion: """
            Example: bench limits --posts 100000 --writers 1000 --json

            Signatures checked and made, entries hashed and bytes sealed by libsodium on one thread; posts put into the \
            store's own tables through SQLite's C functions, ten thousand a transaction and one, and the newest twenty read; \
            bytes and round trips over one loopback connection; live posts between two threads, at a rate and each upon the \
            one before; and how long the program takes to start and say its version.
            """
    )

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report {
            var figures = try MachineLimits(size).figures
            figures.add(
                "program_start_milliseconds",
                try ProgramStart(common, nil).milliseconds(["--version"], times: 21)
            )
            return figures
        }
    }
}
