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
            16 bytes of everything that this node holds, then whether it is complete. Anybody can write a post whose \
            text nobody has, and that text stays wanted: a script compares the fingerprints themselves, and takes \
            wanted_logs and gaps of --json for what is still on its way.

            Example:
              scurry fingerprint
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let glance = desk.glance
        let (report, wanted) = try Problems.naming { () throws(StorageError) in
            (try desk.store.fingerprint(), try glance.wantedLogs(desk.store))
        }
        switch reading.form {
        case .json:
            // Fingerprints can be compared without the node's keys.
            let node = try? desk.home.keys().nodeID
            try console.out.write(
                JSONObject([
                    "id": .optional(node?.description),
                    "fingerprint": .string(report.fingerprint.description),
                    "complete": .bool(glance.isComplete(report, wantedLogs: wanted)),
                    "logs": .integer(Int64(report.logs)),
                    "entries": .integer(Int64(report.entries)),
                    "wanted_logs": .integer(Int64(wanted)),
                    "unsupplied_logs": .integer(Int64(report.unsuppliedLogs)),
                    "wanted_bodies": .integer(Int64(report.wantedBodies)),
                    "gaps": .integer(Int64(report.gaps)),
                    "dropped_bodies": .integer(Int64(report.evictedBodies)),
                    "store_failure": .optional(glance.report?.storeFailure),
                ])
            )
        case .text:
            try console.out.write(StyledLine("\(report.fingerprint.description)  \(state(report, glance, wanted))"))
        }
    }

    private func state(_ report: FingerprintReport, _ glance: NodeGlance, _ wanted: Int) -> SafeText {
        guard report.isSettled, wanted == 0 else {
            let parts = report.missing(wanted)
            // One thing alone takes the singular.
            let isOne = wanted + report.gaps + report.wantedBodies == 1
            return "\(Amount.list(parts)) \(isOne ? "is" : "are") still wanted"
        }
        if glance.isStoreBehind {
            let reason: SafeText = glance.storeFailure.map { ", \($0)" } ?? ""
            return "not complete\(reason)"
        }
        return BudgetTerms.completeness(report)
    }
}
