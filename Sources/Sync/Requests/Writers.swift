import Entries

/// Who writes the logs that have no complete head here, as far as a certificate that came with one has proven it.
///
/// Kept for a quota's sake, and only while something of the log is on its way, pending or delayed.
struct Writers {
    /// The first eight bytes of the identity.
    private var owners: [LogID: UInt64] = [:]

    var count: Int { owners.count }

    subscript(log: LogID) -> UInt64? { owners.isEmpty ? nil : owners[log] }

    mutating func note(_ log: LogID, by owner: UInt64) {
        // Too many to remember: whose they are is learned once more.
        if owners.count >= Limits.writersCount, owners[log] == nil { owners = [:] }
        owners[log] = owner
    }

    mutating func remove(_ log: LogID) {
        if !owners.isEmpty { owners[log] = nil }
    }
}
