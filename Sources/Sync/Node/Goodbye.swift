/// Reason in a Goodbye: why its sender ends the connection (`protocol/sync.md` §11).
package enum Goodbye: Hashable, Sendable {
    case stopping
    case violation(code: UInt32)
    case noCommonVersion
    case tooManyPeers
    case duplicateConnection
    case connectedToSelf
    case scopeNotServed
    case replaced
    /// A reason that this version does not know.
    case unknown(UInt32)
}

extension Goodbye {
    /// Whether one side refuses the connection as such, rather than ending it for a passing reason like the end of a
    /// process.
    var isRefusal: Bool {
        switch self {
        case .noCommonVersion, .scopeNotServed, .tooManyPeers: true
        case .stopping, .violation, .duplicateConnection, .connectedToSelf, .replaced, .unknown: false
        }
    }

    /// Whether only a person can change the outcome, so that the next attempt may wait (`Limits.refusalMilliseconds`).
    var isLasting: Bool {
        switch self {
        case .noCommonVersion, .scopeNotServed: true
        case .stopping, .violation, .tooManyPeers, .duplicateConnection, .connectedToSelf, .replaced, .unknown: false
        }
    }
}
