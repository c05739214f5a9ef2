package import Entries
internal import Storage
internal import Sync

/// Logs and accounts that people end with the recovery words (`protocol/identity.md` §5).
extension Trial {
    /// One ending in this many is of the account.
    private static let accountsShare: UInt64 = 4

    /// A person ends the log of one of their devices, at that device or another one, or the account; false if half of
    /// the writers have ended theirs, or none can.
    func endSomething() -> Bool {
        let writers = present.filter { $0.device != nil }
        let open = writers.filter { !isOver($0) }
        guard options.store == .sqlite, 2 * open.count > writers.count, let site = drawn(of: open.filter(\.isRunning)),
            let device = site.device
        else { return false }
        let isAccount = trouble.next() % Self.accountsShare == 0
        let logs = open.compactMap(\.device).filter { $0.identity == device.identity }.map(\.log)
        site.end(isAccount ? nil : drawn(of: logs), keeping: drawnKeeping(), of: device)
        return true
    }

    /// Half of the time all entries held; else the first 0 to 23, of which a trial's log seldom has more.
    private func drawnKeeping() -> SettlementKeeping {
        trouble.next() % 2 == 0 ? .everythingHeld : .first(trouble.next() % 24)
    }

    /// Whether the person has ended this node's log or the account, even if this home does not know it.
    func isOver(_ site: Site) -> Bool {
        guard let device = site.device else { return false }
        return ledger.settled[device.log] != nil || ledger.isGone(device.log)
    }
}

extension Site {
    func end(_ log: LogID?, keeping: SettlementKeeping, of device: Device) {
        onThread(.writes, at: .ownCommit) { [unowned self] in
            do {
                guard let (settlement, report) = try home.end(log, keeping: keeping, of: device, at: wall) else {
                    return nil
                }
                trial.ledger.note(settlement)
                trial.trace.note(trial.now, number, "end", settlement.size)
                return { [unowned self] in give(.settled(report)) }
            } catch {
                trial.noteStorage(error, at: self)
                return nil
            }
        }
    }
}

extension Ledger {
    /// Whether the log's person has ended the account.
    package func isGone(_ log: LogID) -> Bool { persons[log].map { ends[$0] != nil } ?? false }

    /// Records a settlement by the person's root key, once it is durable at a node.
    package mutating func note(_ settlement: Settlement) {
        if settlement.isEnd {
            ends[settlement.identity] = LogID(endOf: settlement.identity, in: settlement.network)
        } else {
            settled[settlement.log] = min(settled[settlement.log] ?? .max, settlement.size)
        }
    }
}
