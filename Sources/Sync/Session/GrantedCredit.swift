/// The credit granted to a peer: bytes of Chunks and Bodies that it may send (`protocol/sync.md` §7).
///
/// Counts bytes; bound: `NodeConfiguration.credit`, given back in lots of `Limits.creditReturnBytes`. Refuses: whoever
/// sends more violates the protocol.
struct GrantedCredit {
    private(set) var remaining: UInt64
    private(set) var owed: UInt64 = 0

    /// Begins with the credit of the own Hello.
    init(_ credit: UInt64) {
        remaining = credit
    }

    /// Charges a received message; false if it exceeds the credit.
    mutating func take(_ bytes: UInt64) -> Bool {
        guard bytes <= remaining else { return false }
        remaining -= bytes
        return true
    }

    /// Owes back the credit of bytes that were stored or refused.
    mutating func release(_ bytes: UInt64) {
        owed += bytes
    }

    /// Whether enough is owed to be worth a Credit message.
    var isRefundDue: Bool { owed >= Limits.creditReturnBytes }

    /// The credit to give back now; nil if too little is owed.
    mutating func refund() -> UInt64? {
        guard isRefundDue else { return nil }
        defer { owed = 0 }
        remaining += owed
        return owed
    }
}
