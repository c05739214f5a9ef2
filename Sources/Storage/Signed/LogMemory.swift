internal import Entries
internal import Synchronization

/// A cache of the rows of `logs` that the writing connection read or wrote last: writers who posted lately post again,
/// and reading a row costs as much as writing it.
///
/// It shows the connection's own view, within a transaction too. Only `LogTable` changes it, together with the row;
/// `EntryStore` clears it after a transaction that was rolled back, and before one whose tables do not know of it.
final class LogMemory: Sendable {
    /// On its own: a dictionary of rows would have as much room again for those that it does not hold.
    private final class Row: Sendable {
        let log: LogState

        init(_ log: LogState) {
            self.log = log
        }
    }

    private struct State {
        var rows: [LogID: Row] = [:]
        var numbers: [Int64: Row] = [:]
    }

    private let state = Mutex(State())

    subscript(log: LogID) -> LogState? { state.withLock { $0.rows[log] }?.log }

    /// The row with this number.
    subscript(number number: Int64) -> LogState? { state.withLock { $0.numbers[number] }?.log }

    /// The number of cached rows.
    var count: Int { state.withLock { $0.rows.count } }

    /// Caches a row as it is in the file; one with a gap, which a second table has, is not cached.
    func keep(_ log: LogState) {
        guard log.gap == nil, log.storedGap == nil else { return forget(log) }
        let row = Row(log)
        state.withLock { state in
            if state.rows.count >= StorageLimits.rememberedLogs, state.rows[log.log] == nil { state = State() }
            state.rows[log.log] = row
            state.numbers[log.number] = row
        }
    }

    func forget(_ log: LogState) {
        state.withLock { state in
            state.rows[log.log] = nil
            state.numbers[log.number] = nil
        }
    }

    func forgetAll() { state.withLock { $0 = State() } }
}
