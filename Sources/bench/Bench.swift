import ArgumentParser

// usage: bench first-sync | catch-up | live | sustained | feed | replay | slow-reader | flood | window | frontier |
// limits
//        | growth | year | compare [options]

@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures real scurry nodes on this machine.",
        discussion: """
            Each measurement starts the scurry program with its default settings, in temporary homes, over loopback with \
            encryption on, and ends when the receiver's fingerprint is the sender's; frontier measures the reconciliation \
            alone, limits what the machine can do at best, both in this process. Build for release first: swift build -c release
            """,
        subcommands: [
            FirstSync.self, CatchUp.self, Live.self, Sustained.self, Feed.self, Replay.self, SlowReader.self,
            Flood.self, Window.self, FrontierBench.self, LimitsBench.self, Growth.self, Year.self,
            Compare.self, AttackCommand.self,
        ]
    )
}
