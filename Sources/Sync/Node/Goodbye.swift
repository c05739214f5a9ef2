/// Why a peer closes the connection, as it says itself (`protocol/sync.md`, Goodbye).
package enum Goodbye: Hashable, Sendable {
    case stopping
    case violation(code: UInt32)
    case noCommonVersion
    case tooManyPeers
    case duplicateConnection
    case connectedToSelf
    case scopeNotServed
    case replaced
    /// A reason that only a newer version knows.
    case unknown(UInt32)
}

extension Goodbye {
    /// The peer, or this node, will not have the connection: not what passes, like the end of a process.
    var isRefusal: Bool {
        switch self {
        case .noCommonVersion, .scopeNotServed, .tooManyPeers: true
        case .stopping, .violation, .duplicateConnection, .connectedToSelf, .replaced, .unknown: false
        }
    }

    /// Nothing changes until a person changes something: another attempt may wait.
    var isLasting: Bool {
        switch self {
        case .noCommonVersion, .scopeNotServed: true
        case .stopping, .violation, .tooManyPeers, .duplicateConnection, .connectedToSelf, .replaced, .unknown: false
        }
    }
}
