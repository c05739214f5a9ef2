/// Bytes of chunks and bodies that a peer may send (`protocol/sync.md §7`).
struct Allowance {
    private(set) var remaining: UInt64
    private(set) var owed: UInt64 = 0

    /// What the own Hello allows.
    init(_ credit: UInt64) {
        remaining = credit
    }

    /// A message came; false if it was more than was allowed.
    mutating func take(_ bytes: UInt64) -> Bool {
        guard bytes <= remaining else { return false }
        remaining -= bytes
        return true
    }

    /// So much was stored or refused.
    mutating func release(_ bytes: UInt64) {
        owed += bytes
    }

    /// There is something worth giving back.
    var isRefundDue: Bool { owed >= Limits.creditReturnBytes }

    /// What is worth giving back now.
    mutating func refund() -> UInt64? {
        guard isRefundDue else { return nil }
        defer { owed = 0 }
        remaining += owed
        return owed
    }
}
