internal import Entries
internal import Sodium
internal import Storage

/// A home in memory, for trials of many nodes: crashes, power cuts and backups have no effect on it.
final class LightHome: TrialHome {
    private let store = LightStore()
    private var range = LogRange()
    private(set) var device: Device?

    let facts = HomeFacts()
    var reader: StoreReader? { nil }
    var files: [String]? { nil }

    func begin(_ run: StoreID) throws -> StoreState {
        damaged = nil
        return try store.begin(run)
    }
    func close() throws {}
    func kill() throws {}
    func cutPower(keeping share: Double) throws {}
    func backUp() throws {}
    func restoreBackup(_ trace: RestoredTrace) throws -> Bool { false }
    var hasBackup: Bool { false }
    func state() throws -> StoreState { store.present }
    func setRoom(_ room: SimulatedRoom) throws { store.failingTakes = room == .exhausted ? .max : 0 }
    var damaged: LogID? {
        get { store.damaged }
        set { store.damaged = newValue }
    }
    func remove() {}

    func register(_ device: Device) throws {
        self.device = device
        store.register(device.certificate)
    }

    func strayEdits() throws -> [EntryID] { [] }
    func replaceLog(by device: Device, at now: UInt64) throws {}
    func end(_ log: LogID?, keeping: SettlementKeeping, of device: Device, at now: UInt64) throws
        -> (settlement: Settlement, report: TakeReport)?
    {
        nil
    }
    func signingStop() throws -> SigningStop? { store.signing == .stopped ? .copied : nil }

    func append(_ payload: Payload, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    {
        let isErasable = payload.kind.isErasable
        let entry = Entry(
            flags: isErasable ? EntryHeader.erasableFlag : 0,
            kind: payload.kind.rawValue,
            log: device.log,
            sequence: range.bounds.upperBound,
            time: now,
            clock: now,
            payload: payload.encode()
        )
        let chunk = VerifiedChunk(authoring: [entry], after: range, certificate: device.certificate, with: device.key)
        let append = try store.append(chunk)
        range = chunk.tip
        // As the real store does in the same transaction.
        if publication == .cleared { store.note(published: chunk.end) }
        return append
    }

    func delete(_ post: EntryID, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    {
        try append(.delete(try Delete(entries: [post])), by: device, at: now, publication)
    }

    func take(_ batch: TakeBatch) throws -> TakeReport { try store.take(batch) }
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] { try store.prefixes(of: logs) }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        try store.ranges(wants, byteLimit: byteLimit)
    }

    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? { try store.prefixNodes(of: log, end: end) }
    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? { try store.prefixProof(of: log, end: end) }
    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? { try store.nodes(of: log, at: place) }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        try store.bodies(places, byteLimit: byteLimit)
    }
}
