package import Entries
internal import Storage
internal import Sync

/// What people end with the recovery words (`protocol/identity.md` §5).
extension Trial {
    /// One time in so many it is the account.
    private static let accountsShare: UInt64 = 4

    /// A person ends one of their devices, at that device or at another one, or the account; false where hardly anybody would
    /// be left who writes.
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

    /// Half of the time all that is here; a log of a trial seldom has more entries than what is drawn from else.
    private func drawnKeeping() -> EntryStore.Keeping {
        trouble.next() % 2 == 0 ? .everythingHeld : .first(trouble.next() % 24)
    }

    /// The person has ended what is written here, whether this home knows that or not.
    func isOver(_ site: Site) -> Bool {
        guard let device = site.device else { return false }
        return ledger.settled[device.log] != nil || ledger.isGone(device.log)
    }
}

extension Site {
    func end(_ log: LogID?, keeping: EntryStore.Keeping, of device: Device) {
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
    /// Its person has ended the account.
    package func isGone(_ log: LogID) -> Bool { persons[log].map { ends[$0] != nil } ?? false }

    /// The person's root key has said so, and it is durable somewhere.
    package mutating func note(_ settlement: Settlement) {
        if settlement.isEnd {
            ends[settlement.identity] = LogID(endOf: settlement.identity, in: settlement.network)
        } else {
            settled[settlement.log] = min(settled[settlement.log] ?? .max, settlement.size)
        }
    }
}
