internal import Entries
internal import Storage
internal import Sync

/// Backups and restores of homes.
extension Trial {
    /// Backs up a random home every 5 to 60 min.
    func planBackups() {
        plan(in: 300_000 + trouble.next() % 3_300_001) { [unowned self] in
            guard isAlive else { return }
            let site = drawSite()
            do { try site.home.backUp() } catch { noteStorage(error, at: site) }
            planBackups()
        }
    }

    /// Restores a home from its backup; half of the time nothing in the home shows it.
    func restore(_ site: Site) -> Bool {
        let wasRunning = site.isRunning
        guard options.store == .sqlite, site.home.hasBackup else { return false }
        let trace = trouble.next() % 2 == 0 ? RestoredTrace.seen : .unseen
        if wasRunning { site.crash() }
        do {
            guard try site.home.restoreBackup(trace) else { return false }
            site.device = site.home.device ?? site.device
            restored.insert(site.number)
            if trace == .unseen { restoredUnseen += 1 }
            try forget(trace, at: site)
            excuseLosses()
        } catch {
            noteStorage(error, at: site)
        }
        if wasRunning { site.start() }
        if !site.isWatched {
            site.isWatched = true
            planReturn(site)
        }
        return true
    }

    /// Plans the person's looks at a restored node: repeated, as a peer with more of the log may be away at first.
    private func planReturn(_ site: Site) {
        plan(in: drawn(.backup)) { [unowned self] in
            guard isAlive else { return }
            site.comeBack()
            planReturn(site)
        }
    }

    /// Records which entries the person's devices signed here since the backup: the home has lost them.
    private func forget(_ trace: RestoredTrace, at site: Site) throws {
        let state = try site.home.begin(drawRun())
        let sizes = Dictionary(state.frontier.map { ($0.log, $0.size) }, uniquingKeysWith: { $1 })
        try site.home.close()
        for log in site.logs {
            let isGoingOn = trace == .unseen && log == site.device?.log
            ledger.forget(log, from: sizes[log] ?? 0, writer: isGoingOn ? .goesOn : .stops)
        }
    }

    /// After data was lost or a home has left: excuses what was signed in a restored home, or one that has left, and is
    /// on no present disk any more.
    ///
    /// A log whose home did not detect the restore may fork if some node has none of the lost entries.
    func excuseLosses() {
        let left = Set(sites.filter(\.isGone).flatMap(\.logs))
        guard !ledger.forgotten.isEmpty || !left.isEmpty else { return }
        var held: [Entry] = []
        // The longest beginning of each of these logs that a present node holds without a gap.
        var kept: [LogID: UInt64] = [:]
        for site in present {
            // What a node cannot read is on its disk all the same.
            let damaged = site.home.damaged
            site.home.damaged = nil
            defer { site.home.damaged = damaged }
            do {
                let isOpen = site.isRunning
                if !isOpen { _ = try site.home.begin(drawRun()) }
                let state = try site.home.state()
                let gaps = Dictionary(state.gaps.map { ($0.log, $0.bounds) }, uniquingKeysWith: { $1 })
                for row in state.frontier where ledger.forgotten[row.log] != nil || left.contains(row.log) {
                    held += try site.home.entries(of: row.log, without: gaps[row.log])
                    kept[row.log] = max(kept[row.log] ?? 0, min(row.size, gaps[row.log]?.lowerBound ?? .max))
                }
                for log in ledger.goneOn where log != site.device?.log {
                    ledger.noteWitness(of: log, size: state.frontier.first { $0.log == log }?.size ?? 0)
                }
                if !isOpen { try site.home.close() }
            } catch {
                noteStorage(error, at: site)
            }
        }
        for log in left { ledger.leave(log, from: kept[log] ?? 0) }
        ledger.excuse(but: held)
    }
}
