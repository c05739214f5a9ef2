import Entries
import Simulation
import Sodium

/// A store on a disk whose last transactions a power cut takes away.
final class FragileStore: WorldStore {
    private var store = LightStore()
    /// What is on the disk for good.
    private var disk = LightStore()
    /// Transactions reach the disk.
    var isFlushed = true

    /// What was not on the disk is gone; the process is not running.
    func losePower() {
        store = disk
        isFlushed = false
    }

    var lastNumber: UInt64 { store.lastNumber }
    var contents: [[UInt8]?] { store.contents }
    func size(_ log: LogID) -> UInt64 { store.size(log) }

    func begin(_ run: StoreID) throws -> StoreState {
        if isFlushed { _ = try disk.begin(run) }
        return try store.begin(run)
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        if isFlushed { _ = try disk.take(batch) }
        return try store.take(batch)
    }

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

    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try store.append(text, by: &author, at: time)
    }
}
