/// The side that dialled a connection.
package enum Direction: Hashable, Sendable {
    /// This node dialled.
    case outgoing(DialID)
    /// The other side dialled, from this host; nil if the system does not say.
    case incoming(host: String?)
}
