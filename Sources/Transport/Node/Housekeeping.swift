internal import Logging

extension Node {
    /// What is looked after now and then, until the task is cancelled.
    func keepHouse() async {
        let due = SystemClock.monotonicMilliseconds + 1_000 * TransportLimits.migrationCopySeconds
        var keepsCopies = true
        while (try? await Task.sleep(for: .seconds(TransportLimits.housekeepingSeconds))) != nil {
            _ = isReplaced()
            work.scrubIfOwed()
            writePins()
            guard keepsCopies, SystemClock.monotonicMilliseconds >= due else { continue }
            keepsCopies = false
            work.dropMigrationCopies()
        }
    }

    /// Whether the program of this process was replaced since it started; said once in the log.
    func isReplaced() -> Bool {
        guard let program, program.isReplaced else { return false }
        if !hasToldReplacement {
            hasToldReplacement = true
            log.notice("\(program.path) was replaced: this node runs the old one until it is started again")
        }
        return true
    }
}
