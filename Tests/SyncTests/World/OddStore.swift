import Entries
import Simulation
import Sodium

@testable import Sync

/// A store that is not as others: it tells of logs that it does not hold, refuses one, or cannot be read.
final class OddStore: WorldStore {
    private let store: LightStore
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
        let state = try store.begin(run)
        return StoreState(
            store: state.store,
            number: max(state.number, UInt64(rows.count)),
            frontier: state.frontier + rows,
            pending: state.pending,
            ranges: state.ranges,
            cursors: state.cursors,
            wants: state.wants,
            wantedBodies: state.wantedBodies,
            setAside: state.setAside,
            own: state.own
        )
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        var kept = batch
        kept.chunks.removeAll { refused.contains($0.chunk.log) }
        let forgotten = Set(batch.chunks.map(\.chunk.log)).intersection(refused).sorted()
        let report = try store.take(kept)
        defer { recounts = [] }
        return TakeReport(
            changes: report.changes,
            stored: report.stored,
            wantedBodies: report.wantedBodies,
            refusedBodies: report.refusedBodies,
            forgotten: report.forgotten + forgotten,
            recounted: recounts
        )
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

    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try store.append(text, by: &author, at: time)
    }
}
