internal import Entries
internal import Sodium

/// The storage key of an entry: log number << 32 | sequence. Entries of one log are adjacent.
struct EntryKey: Hashable, Comparable {
    let value: Int64

    init(_ value: Int64) {
        self.value = value
    }

    /// The key of a sequence number in the log with this number, which is below 2³¹.
    init(log: Int64, sequence: UInt64) {
        value = log << 32 | Int64(truncatingIfNeeded: sequence & 0xFFFF_FFFF)
    }

    var log: Int64 { value >> 32 }
    var sequence: UInt64 { UInt64(truncatingIfNeeded: value) & 0xFFFF_FFFF }

    static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension EntryKey: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 { value.bind(to: handle, at: index) }
}

extension Identifier {
    /// The first eight bytes as a signed integer that SQLite orders like them: with the highest bit flipped.
    var sortablePrefix: Int64 { Self.sortable(raw.prefix64) }

    static func sortable(_ prefix: UInt64) -> Int64 { Int64(bitPattern: prefix ^ 1 << 63) }
}

extension EntryID {
    /// The tie-breaker of equal times, from four bytes: grows as the id falls, so that one sort direction serves both
    /// (`FeedQuery.Order`).
    var tie: Int64 { Int64(~UInt32(truncatingIfNeeded: raw.prefix64 >> 32)) - 1 << 31 }
}
