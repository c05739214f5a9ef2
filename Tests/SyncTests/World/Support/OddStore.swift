import Entries
import Simulation
import Sodium

@testable import Sync

/// A store that is not as others: it tells of logs that it does not hold, refuses one, or cannot be read.
final class OddStore: StoreAround {
    let store: LightStore
    /// Logs that it says it holds.
    private let rows: [FrontierRow]
    /// Logs that it does not carry.
    var refused: Set<LogID> = []
    var isReadable = true
    /// Logs that it knows nothing of any more, which nobody was told yet.
    var lost: Set<LogID> = []
    /// What the next transaction says it had to count anew.
    var recounts: [TakeReport.Recount] = []

    struct Unreadable: Error {}

    init(_ store: LightStore, rows: [FrontierRow] = []) {
        self.store = store
        self.rows = rows
    }

    func begin(_ run: StoreID) throws -> StoreState {
        var state = try store.begin(run)
        state.number = max(state.number, UInt64(rows.count))
        state.frontier += rows
        return state
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        var kept = batch
        kept.chunks.removeAll { refused.contains($0.chunk.log) }
        var report = try store.take(kept)
        report.forgotten += Set(batch.chunks.map(\.chunk.log)).intersection(refused).sorted()
        report.recounted = recounts
        recounts = []
        return report
    }

    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] {
        try store.prefixes(of: logs.filter { !lost.contains($0) })
    }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        guard isReadable else { throw Unreadable() }
        return try store.ranges(wants, byteLimit: byteLimit)
    }

    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        guard isReadable else { throw Unreadable() }
        return try store.prefixNodes(of: log, end: end)
    }

    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? {
        guard isReadable else { throw Unreadable() }
        return try store.prefixProof(of: log, end: end)
    }

    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? {
        guard isReadable else { throw Unreadable() }
        return try store.nodes(of: log, at: place)
    }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        guard isReadable else { throw Unreadable() }
        return try store.bodies(places, byteLimit: byteLimit)
    }
}
