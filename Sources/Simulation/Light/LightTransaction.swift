import Entries

/// What a transaction of a `LightStore` has come to so far; a log or an identity is named once, in the order of the
/// first change.
struct LightTransaction {
    private(set) var touched: [LogID] = []
    private(set) var forgotten: [LogID] = []
    /// Accounts that ended, or whose end has another settlement now.
    private(set) var ended: [IdentityID] = []
    /// Chunks that did not continue the stored log.
    private(set) var unfitting: [VerifiedChunk] = []

    mutating func touch(_ log: LogID) {
        if !touched.contains(log) { touched.append(log) }
    }

    mutating func forget(_ log: LogID) {
        if !forgotten.contains(log) { forgotten.append(log) }
    }

    mutating func end(_ identity: IdentityID) {
        if !ended.contains(identity) { ended.append(identity) }
    }

    mutating func reject(_ chunk: VerifiedChunk) { unfitting.append(chunk) }
}
