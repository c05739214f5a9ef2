import ArgumentParser
import Simulation

/// The options of both `simulate` and `simulate soak`.
struct TrialArguments: ParsableArguments {
    @Option(help: "Honest nodes, 1 to 10,000; of one trial 50.")
    var nodes: Int?

    @Option(help: "Hours of virtual time in which people write and things go wrong, 87,600 at most; of one trial 24.")
    var hours: Double?

    @Option(
        help: """
            all, none, or a list with commas: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")). Among them measures \
            with units, such as latency=500..3000ms, partition=5..60min, slowreader=500..8000B/s; such are \
            \(FaultMeasures.Measure.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )
    var faults = "all"

    @Option(help: "sqlite, the real database in temporary files; or light, in memory.")
    var store = "sqlite"

    @Option(help: "Links of a node over all of which it pushes; of more grows a tree.")
    var eagerLinks: Int?

    @Option(help: "Where the temporary files go.")
    var directory: String?

    /// The options of a trial, with those replaced that were given.
    func options(of trial: TrialOptions) throws -> TrialOptions {
        guard let (faults, measures) = Fault.parseMeasured(faults) else {
            throw ValidationError("--faults: no such fault or measure in '\(faults)'")
        }
        guard let store = TrialOptions.Store(rawValue: store) else { throw ValidationError("--store: sqlite or light") }
        var options = trial
        options.nodes = nodes ?? options.nodes
        options.hours = hours ?? options.hours
        options.eagerLinks = eagerLinks ?? options.eagerLinks
        guard (1...10_000).contains(options.nodes) else { throw ValidationError("--nodes: 1 to 10,000") }
        // Not a number is none of these either.
        guard options.hours > 0, options.hours <= 87_600 else {
            throw ValidationError("--hours: above 0, and at most 87,600, which are ten years")
        }
        guard options.eagerLinks >= 0 else { throw ValidationError("--eager-links: 0 or more") }
        options.faults = faults
        options.measures = measures
        options.store = store
        options.directory = directory
        return options
    }
}
