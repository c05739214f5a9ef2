import ArgumentParser
import Simulation

/// What both commands take.
struct TrialArguments: ParsableArguments {
    @Option(help: "Honest nodes.")
    var nodes = 50

    @Option(help: "Hours of virtual time in which people write and things go wrong.")
    var hours = 24.0

    @Option(help: "all, none, or a list with commas: \(Fault.allCases.map(\.rawValue).joined(separator: ", ")).")
    var faults = "all"

    @Option(help: "sqlite, the real database in temporary files; or light, in memory.")
    var store = "sqlite"

    @Option(help: "Where the temporary files go.")
    var directory: String?

    func options(seed: UInt64) throws -> TrialOptions {
        guard let faults = Fault.parse(faults) else { throw ValidationError("--faults: no such fault in '\(faults)'") }
        guard let store = TrialOptions.Store(rawValue: store) else { throw ValidationError("--store: sqlite or light") }
        guard nodes > 0, nodes <= 10_000, hours > 0 else { throw ValidationError("--nodes and --hours are above 0") }
        var options = TrialOptions(seed: seed)
        options.nodes = nodes
        options.hours = hours
        options.faults = faults
        options.store = store
        options.directory = directory
        return options
    }
}
