/// Traffic that a host sent, counted on the wire and not by its node.
package struct WireTally: Hashable, Sendable {
    /// Writes to a connection, each at least one packet.
    package var pieces: UInt64 = 0
    /// Bytes of all pieces, encryption overhead included.
    package var bytes: UInt64 = 0
    /// Connections established, dialled by either end.
    package var opened: UInt64 = 0
    /// Connections that ended.
    package var closed: UInt64 = 0
    /// Attempts to connect, successful or not.
    package var dials: UInt64 = 0

    package init() {}

    /// The difference to an earlier reading.
    package func since(_ earlier: WireTally) -> WireTally {
        var difference = WireTally()
        difference.pieces = pieces - earlier.pieces
        difference.bytes = bytes - earlier.bytes
        difference.opened = opened - earlier.opened
        difference.closed = closed - earlier.closed
        difference.dials = dials - earlier.dials
        return difference
    }
}
