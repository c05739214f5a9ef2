import ArgumentParser
import Simulation

/// The options of both `simulate` and `simulate soak`.
struct TrialArguments: ParsableArguments {
    @Option(help: "Honest nodes; of one trial 50.")
    var nodes: Int?

    @Option(help: "Hours of virtual time in which people write and things go wrong; of one trial 24.")
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
        guard options.nodes > 0, options.nodes <= 10_000, options.hours > 0 else {
            throw ValidationError("--nodes and --hours are above 0")
        }
        options.eagerLinks = eagerLinks ?? options.eagerLinks
        options.faults = faults
        options.measures = measures
        options.store = store
        options.directory = directory
        return options
    }
}
