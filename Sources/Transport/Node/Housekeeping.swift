internal import Logging

extension Node {
    /// Runs the periodic maintenance until the task is cancelled.
    func keepHouse() async {
        let due = SystemClock.monotonicMilliseconds + 1_000 * TransportLimits.migrationCopySeconds
        var keepsCopies = true
        while (try? await Task.sleep(for: .seconds(TransportLimits.housekeepingSeconds))) != nil {
            _ = isReplaced()
            work.scrubIfOwed()
            writePins()
            // A backup may have been killed since the start.
            BackupFiles.removeStaleCopies(from: home.layout)
            guard keepsCopies, SystemClock.monotonicMilliseconds >= due else { continue }
            keepsCopies = false
            work.dropMigrationCopies()
        }
    }

    /// Whether the program file was replaced since the start; logged once.
    func isReplaced() -> Bool {
        guard let program, program.isReplaced else { return false }
        if !hasToldReplacement {
            hasToldReplacement = true
            log.notice("\(program.path) was replaced: this node runs the old one until it is started again")
        }
        return true
    }
}
