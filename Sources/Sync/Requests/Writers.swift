import Entries

/// The identities of logs without a complete head here, as verified certificates have shown.
///
/// Kept for the quotas, while something of the log is on its way, pending or delayed.
struct Writers {
    /// The first eight bytes of the identity.
    private var owners: [LogID: UInt64] = [:]

    var count: Int { owners.count }

    subscript(log: LogID) -> UInt64? { owners.isEmpty ? nil : owners[log] }

    mutating func note(_ log: LogID, by owner: UInt64) {
        // At the bound, all are forgotten, and learned once more.
        if owners.count >= Limits.writersCount, owners[log] == nil { owners = [:] }
        owners[log] = owner
    }

    mutating func remove(_ log: LogID) {
        if !owners.isEmpty { owners[log] = nil }
    }
}
