internal import Logging

extension Node {
    /// Runs the periodic maintenance until the task is cancelled.
    func keepHouse() async {
        let due = SystemClock.monotonicMilliseconds + 1_000 * TransportLimits.migrationCopySeconds
        var keepsCopies = true
        while (try? await Task.sleep(for: .seconds(TransportLimits.housekeepingSeconds))) != nil {
            _ = isReplaced()
            work.checkFiles()
            await keepControl()
            work.scrubIfOwed()
            writePins()
            // A backup may have been killed since the start.
            BackupFiles.removeStaleCopies(from: home.layout)
            guard keepsCopies, SystemClock.monotonicMilliseconds >= due else { continue }
            keepsCopies = false
            work.dropMigrationCopies()
        }
    }

    /// Makes the control socket anew if its file is gone: nobody could ask this node, or end it by a command.
    func keepControl() async {
        guard hasStarted, !isEnding, let lost = control, lost.isLost else { return }
        // Where the home is gone as well, another one may lie there by now, and the node is about to end.
        guard (try? work.confirmFiles()) != nil else { return }
        await lost.closed()
        let made: ControlServer
        do throws(HomeError) {
            made = try await ControlServer(home.layout, group: thread.loop)
        } catch {
            if !hasToldControl { log.error("no command reaches this node, its socket cannot be made anew: \(error)") }
            hasToldControl = true
            return
        }
        guard !isEnding else {
            made.close()
            return made.remove()
        }
        hasToldControl = false
        control = made
        job.yield { await made.run { await self.answer($0) } }
        log.warning("\(lost.path) was removed: commands reach this node again at \(made.path)")
        // Commands changed these meanwhile, and could not tell.
        readKeys()
        readPeers()
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
