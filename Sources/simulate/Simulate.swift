import ArgumentParser

// usage: simulate [--seed N] [--nodes N] [--hours N] [--faults all|none|LIST] [--store sqlite|light] | soak | gossip

@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Runs a whole network in one process, breaks it, and looks whether anything was lost.",
        discussion: """
            The real protocol machines with their encryption, the real database, virtual time; every choice follows from \
            the seed, so that the same seed gives the same run. Build for release: swift run -c release simulate
            """,
        subcommands: [Trials.self, Soak.self, GossipTrials.self],
        defaultSubcommand: Trials.self
    )
}
