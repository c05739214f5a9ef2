internal import Entries
internal import Foundation
internal import Sodium
internal import Storage

/// A home with the real database in files.
///
/// A crash copies the files as they are at that moment and restarts the node on the copy: later writes of the old
/// process to the old files are lost. A power cut truncates the copied write-ahead log somewhere behind its synced
/// frames; the database is copied as it is, since a checkpoint syncs the log before it writes to the database.
final class FileHome: TrialHome {
    private let directory: String
    private let network: NetworkID
    private let number: Int
    /// Counts crashes and restores; each life has a directory of its own.
    private var life = 0
    /// The inode that `facts` shows: a restored backup has a new one, or the one that it had before.
    private var incarnation: UInt64 = 1
    private var lastIncarnation: UInt64 = 1
    private(set) var device: Device?
    private var store: EntryStore?
    /// The write-ahead log after the last commit that waited for fsync.
    private var synced: WALFrames?
    private var room = SimulatedRoom.unlimited
    var damaged: LogID?
    private var backup: (path: String, incarnation: UInt64, device: Device?)?

    init(number: Int, in directory: String, network: NetworkID) throws {
        self.number = number
        self.directory = directory + "/home-\(number)"
        self.network = network
        try FileManager.default.createDirectory(atPath: lifeDirectory, withIntermediateDirectories: true)
    }

    private var lifeDirectory: String { directory + "/\(life)" }
    private var path: String { lifeDirectory + "/store.sqlite" }
    private var opened: EntryStore {
        get throws {
            guard let store else { throw StorageError.absent }
            return store
        }
    }

    var facts: HomeFacts { HomeFacts(machine: "node \(number)", inode: incarnation) }
    var reader: StoreReader? { store?.reader }
    /// Every file in the directory of the present life, whatever a store leaves beside its database; backups are not
    /// included.
    var files: [String]? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: lifeDirectory)) ?? []
        return names.sorted().map { lifeDirectory + "/" + $0 }
    }

    // MARK: The process

    func begin(_ run: StoreID) throws -> StoreState {
        damaged = nil
        let opened = try EntryStore(.file(path), network: network, creation: .ifAbsent, run: run)
        store = opened
        if room == .exhausted { try opened.setRoom(room) }
        _ = try opened.check(facts)
        // As every program does that opens a home.
        if let device { try opened.withdraw(with: device.key) }
        noteSync()
        return try opened.state()
    }

    func close() throws {
        try store?.close()
        store = nil
    }

    func kill() throws {
        try abandon { _ in nil }
    }

    func cutPower(keeping share: Double) throws {
        let known = synced
        try abandon { log in
            let safe = log.synced(since: known)
            let lost = Double(log.frames - min(safe, log.frames))
            let end = log.bytes(behind: log.frames - UInt32(lost * (1 - share)))
            return max(log.bytes(behind: safe), end - min(end, UInt64(Double(log.pageBytes) * share)))
        }
    }

    /// Continues on a copy of the files, whose write-ahead log is cut off at the offset `end` returns; nil: nowhere.
    private func abandon(cuttingAt end: (WALFrames) -> UInt64?) throws {
        let old = (directory: lifeDirectory, path: path, store: store)
        let log = store == nil ? nil : WALFrames(index: path + "-shm")
        life += 1
        try FileManager.default.createDirectory(atPath: lifeDirectory, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
            try FileManager.default.copyItem(atPath: old.path + suffix, toPath: path + suffix)
        }
        if let log, let end = end(log), let file = FileHandle(forWritingAtPath: path + "-wal") {
            defer { try? file.close() }
            if try file.seekToEnd() > end { try file.truncate(atOffset: end) }
        }
        store = nil
        synced = nil
        try? old.store?.close()
        try? FileManager.default.removeItem(atPath: old.directory)
    }

    /// Called after a commit: if SQLite waited for fsync, every frame up to it is durable.
    private func noteSync() {
        guard (try? store?.lastCommitWaited()) == true else { return }
        synced = WALFrames(index: path + "-shm")
    }

    func setRoom(_ room: SimulatedRoom) throws {
        self.room = room
        try store?.setRoom(room)
    }

    // MARK: The person

    func backUp() throws {
        let copy = directory + "/backup.sqlite"
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: copy + suffix) {
            try FileManager.default.removeItem(atPath: copy + suffix)
        }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        backup = (copy, incarnation, device)
    }

    var hasBackup: Bool { backup != nil }
    func state() throws -> StoreState { try opened.state() }

    func restoreBackup(_ trace: RestoredTrace) throws -> Bool {
        guard let backup, store == nil else { return false }
        try FileManager.default.removeItem(atPath: lifeDirectory)
        life += 1
        synced = nil
        device = backup.device
        switch trace {
        case .seen:
            lastIncarnation += 1
            incarnation = lastIncarnation
        case .unseen: incarnation = backup.incarnation
        }
        try FileManager.default.createDirectory(atPath: lifeDirectory, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: backup.path + suffix) {
            try FileManager.default.copyItem(atPath: backup.path + suffix, toPath: path + suffix)
        }
        return true
    }

    func remove() {
        try? store?.close()
        store = nil
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: What is written here

    func register(_ device: Device) throws {
        try opened.registerOwnLog(device.certificate)
        self.device = device
        noteSync()
    }

    func append(_ payload: Payload, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    {
        defer { noteSync() }
        return try opened.append(payload, with: device.key, at: now, publication: publication)
    }

    func delete(_ post: EntryID, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    {
        defer { noteSync() }
        return try opened.deleteOwn(post: post, with: device.key, at: now, publication: publication)
    }

    func strayEdits() throws -> [EntryID] { try opened.strayEdits() }

    func replaceLog(by device: Device, at now: UInt64) throws {
        defer { noteSync() }
        try opened.withdrawWithoutKey()
        _ = try opened.replaceOwnLog(device.certificate, with: device.key, facts: facts, at: now)
        self.device = device
    }

    func end(_ log: LogID?, keeping: SettlementKeeping, of device: Device, at now: UInt64) throws
        -> (settlement: Settlement, report: TakeReport)?
    {
        if let damaged, log == damaged { return nil }
        var known: KnownRoot? = KnownRoot(size: 0, root: .zero)
        if let log { known = try opened.reader.settlement(for: log, keeping: keeping) }
        guard let known else { return nil }
        let settlement = Settlement(
            network: network,
            identity: device.identity,
            log: log ?? LogID(raw: .zero),
            size: known.size,
            root: known.root,
            serial: Serial.next(after: try opened.reader.highestSerial(of: device.identity), now: now)
        )
        var batch = TakeBatch()
        let signed = SignedSettlement(signing: settlement, with: device.root)
        batch.settlements = [SettlementArrival(signed: signed, certificate: nil, source: nil)]
        return (settlement, try take(batch))
    }

    func signingStop() throws -> SigningStop? { try opened.reader.signingStop() }

    // MARK: HeldStore

    func take(_ batch: TakeBatch) throws -> TakeReport {
        defer { noteSync() }
        try read(batch.logs)
        return try opened.take(batch)
    }

    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] {
        try read(logs)
        return try opened.prefixes(of: logs)
    }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        // The store answers `lacking` for a log that it cannot read. Fewer answers than wants are allowed.
        if let damaged, wants.first?.log == damaged { return [.lacking(damaged)] }
        return try opened.ranges(wants.prefix { $0.log != damaged }, byteLimit: byteLimit)
    }

    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        try read([log])
        return try opened.prefixNodes(of: log, end: end)
    }

    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? {
        try read([log])
        return try opened.prefixProof(of: log, end: end)
    }

    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? {
        try read([log])
        return try opened.nodes(of: log, at: place)
    }

    private func read(_ logs: [LogID]) throws {
        if let damaged, logs.contains(damaged) { throw StorageError.damaged("what is stored of a log") }
    }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        try opened.bodies(places, byteLimit: byteLimit)
    }
}
