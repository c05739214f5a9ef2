internal import Entries
internal import Storage
internal import Sync

/// A person's commands at a node.
extension Site {
    /// What a person writes; the payload of a delete is made at the commit.
    enum Words {
        case payload(Payload)
        /// Deletes a post of the person's, with every edit of it that the home holds.
        case delete(EntryID)
    }

    /// Writes as a command does: through the running node, or alone where none runs.
    func write(_ words: Words) {
        guard let device else { return }
        guard let machine else { return writeAlone(words, device) }
        guard !machine.isSigningStopped else { return }
        // Decided when the command comes, before the writer thread runs it.
        let publication: EntryStore.Publication = machine.ownLogIsCleared ? .cleared : .held
        onThread(.writes, at: .ownCommit) { [unowned self] in
            guard let own = commit(words, device, publication) else { return nil }
            return { [unowned self] in
                switch publication {
                case .cleared: giveFresh(.published(own))
                case .held: give(.appended(own))
                }
                for entry in own.chunk.entries { trial.ledger.tell(entry, node: number) }
            }
        }
    }

    private func writeAlone(_ words: Words, _ device: Device) {
        guard !isGone, habit != .always || !isWanted else { return }
        do {
            _ = try home.begin(trial.drawRun())
            if let own = commit(words, device, .held) {
                for entry in own.chunk.entries { trial.ledger.tell(entry, node: number) }
            }
            try home.close()
        } catch {
            trial.noteStorage(error, at: self)
        }
    }

    /// Tests whether the person could still write, by an append that no node gets to know of.
    func sayLastWords() throws {
        guard let device, isRunning, !trial.isOver(self) else { return }
        let last = try Post(salt: Salt(using: &trial.chance), text: "good night")
        _ = try home.append(.post(last), by: device, at: wall, .held)
    }

    private func commit(_ words: Words, _ device: Device, _ publication: EntryStore.Publication) -> OwnAppend? {
        do {
            switch words {
            case .payload(let payload):
                let own = try home.append(payload, by: device, at: wall, publication)
                for entry in own.chunk.entries { trial.ledger.sign(entry, node: number) }
                trial.trace.note(trial.now, number, "write", own.chunk.end)
                return own
            case .delete(let post):
                let own = try home.delete(post, by: device, at: wall, publication)
                for entry in own.chunk.entries { trial.ledger.sign(entry, node: number) }
                trial.trace.note(trial.now, number, "delete", own.chunk.end)
                return own
            }
        } catch {
            trial.noteStorage(error, at: self)
            return nil
        }
    }

    /// Deletes the edits of deleted posts that arrived, from another device, after the delete.
    func deleteStrayEdits() {
        guard device != nil else { return }
        onThread(.writes) { [unowned self] in
            guard let posts = try? home.strayEdits(), !posts.isEmpty else { return nil }
            return { [unowned self] in
                for post in posts { write(.delete(post)) }
            }
        }
    }

    /// The person looks at the node; if signing has stopped for a copied, diverged or forked log, goes on with the
    /// recovery words as a new device.
    func comeBack() {
        guard let device, !isGone else { return }
        let wasRunning = isRunning
        if wasRunning {
            guard let stop = try? home.signingStop(), Self.isReplaced(stop) else { return }
            crash()
        }
        do {
            _ = try home.begin(trial.drawRun())
            if let stop = try home.signingStop(), Self.isReplaced(stop) {
                let next = trial.nextDevice(of: device.person)
                try home.replaceLog(by: next, at: wall)
                // Entries that never left and were contradicted are signed again, in the new log.
                trial.ledger.follow(next.log, after: device.log)
                for entry in try home.entries(of: next.log) { trial.ledger.sign(entry, node: number) }
                self.device = next
                logs.append(next.log)
                trial.returns[stop, default: 0] += 1
                trial.trace.note(trial.now, number, "new device")
            }
            try home.close()
        } catch {
            trial.noteStorage(error, at: self)
            try? home.close()
        }
        if wasRunning { start() }
    }

    /// Whether the account goes on after this stop and has room for another device.
    private static func isReplaced(_ stop: SigningStop) -> Bool {
        switch stop {
        case .copied, .longer, .diverged, .forked: true
        case .notCarried, .settled, .ended, .otherKey: false
        }
    }
}
