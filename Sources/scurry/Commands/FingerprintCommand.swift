// scurry fingerprint [--json]

import ArgumentParser
import Entries
import Storage
import Transport

struct FingerprintCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "fingerprint",
        abstract: "Print what two nodes compare: equal fingerprints, equal feeds.",
        usage: "scurry fingerprint [--json]",
        discussion: """
            16 bytes of everything that this node holds, then whether it is complete.

            Example:
              scurry fingerprint
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let report = try Problems.naming { () throws(StorageError) in try desk.store.fingerprint() }
        let wanted = desk.glance.wantedLogs
        switch reading.form {
        case .json:
            // Fingerprints can be compared without the node's keys.
            let node = try? desk.home.keys().nodeID
            try console.out.write(
                JSONObject([
                    "id": .optional(node?.description),
                    "fingerprint": .string(report.fingerprint.description),
                    "complete": .bool(report.isComplete && wanted == 0),
                    "logs": .integer(Int64(report.logs)),
                    "entries": .integer(Int64(report.entries)),
                    "wanted_logs": .integer(Int64(wanted)),
                    "unsupplied_logs": .integer(Int64(report.unsuppliedLogs)),
                    "wanted_bodies": .integer(Int64(report.wantedBodies)),
                    "gaps": .integer(Int64(report.gaps)),
                    "dropped_bodies": .integer(Int64(report.droppedBodies)),
                ])
            )
        case .text:
            try console.out.write(StyledLine("\(report.fingerprint.description)  \(state(report, wanted))"))
        }
    }

    private func state(_ report: FingerprintReport, _ wanted: Int) -> SafeText {
        guard report.isSettled, wanted == 0 else { return "\(missing(report, wanted)) are still wanted" }
        return report.isComplete ? "complete" : "complete, but \(BudgetTerms.gaveWay(report.droppedBodies))"
    }

    private func missing(_ report: FingerprintReport, _ wanted: Int) -> SafeText {
        guard report.gaps > 0 else { return "\(wanted) logs and \(report.wantedBodies) texts" }
        let histories = Amount.of(report.gaps, "history", "histories")
        return "\(wanted) logs, \(histories) and \(report.wantedBodies) texts"
    }
}
