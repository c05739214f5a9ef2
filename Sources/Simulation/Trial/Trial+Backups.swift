internal import Entries
internal import Storage

/// Homes that are put back to what they were.
extension Trial {
    /// Some homes are copied now and then.
    func planBackups() {
        plan(in: 300_000 + trouble.next() % 3_300_001) { [unowned self] in
            guard isAlive else { return }
            let site = drawSite()
            do { try site.home.backUp() } catch { noteStorage(error, at: site) }
            planBackups()
        }
    }

    /// Somebody puts an old copy of the files in the place of the home; half of the time nothing in the home says so.
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

    /// The person looks after a while, and again later: a peer that has more of the log may not have been there.
    private func planReturn(_ site: Site) {
        plan(in: drawn(.backup)) { [unowned self] in
            guard isAlive else { return }
            site.comeBack()
            planReturn(site)
        }
    }

    /// What the person's devices signed here since the copy: the home knows nothing of it.
    private func forget(_ trace: RestoredTrace, at site: Site) throws {
        let state = try site.home.begin(drawRun())
        let sizes = Dictionary(state.frontier.map { ($0.log, $0.size) }, uniquingKeysWith: { $1 })
        try site.home.close()
        for log in site.logs {
            ledger.forget(log, from: sizes[log] ?? 0, mayGoOn: trace == .unseen && log == site.device?.log)
        }
    }

    /// After disks have lost something, or somebody has left with one: what was signed in a home that went back or has
    /// left, and is on no disk that is there, is lost for good.
    ///
    /// And where the home itself saw nothing, its log may fork once it meets somebody who has nothing of what it forgot.
    func excuseLosses() {
        let left = Set(sites.filter(\.isGone).flatMap(\.logs))
        guard !ledger.forgotten.isEmpty || !left.isEmpty else { return }
        var held: [Entry] = []
        // The longest beginning of each of these logs that somebody has without a gap.
        var kept: [LogID: UInt64] = [:]
        for site in present {
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
