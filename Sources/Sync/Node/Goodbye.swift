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
