internal import Entries
internal import Logging
internal import Storage
internal import Sync

extension Node {
    func tell(_ report: NodeReport) {
        let line = LogLine(report)
        log.log(level: line.level, "\(line.text)")
    }

    /// Logs a storage failure once, until a transaction succeeds.
    func tell(_ error: StorageError) {
        guard toldFailure != error else { return }
        toldFailure = error
        log.error("\(error)")
    }

    static func tell(_ outcome: BudgetOutcome, _ log: Logger) {
        switch outcome {
        case .kept: break
        case .fileStays(let bytes, let obstacle):
            log.warning("the database's file stays as large as it is, \(bytes >> 20) MiB: \(obstacle)")
        }
    }

    static func tell(_ line: PeersFile.BadLine, in home: Home, _ log: Logger) {
        log.warning("\(home.layout.peers), line \(line.number): \(line.reason); the other lines are used")
    }
}
