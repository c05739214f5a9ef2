/// What left one host, whatever its node says of itself.
package struct WireTally: Hashable, Sendable {
    /// Writes to a connection: each is at least a packet.
    package var pieces: UInt64 = 0
    /// Of all of them, with what encryption adds.
    package var bytes: UInt64 = 0
    /// Connections that came about, whoever dialled, and those that ended.
    package var opened: UInt64 = 0
    package var closed: UInt64 = 0
    /// Attempts to connect, in vain or not.
    package var dials: UInt64 = 0

    package init() {}

    /// What left it since an earlier reading.
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
