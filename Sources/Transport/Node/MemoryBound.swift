internal import Storage
internal import Sync

/// Upper bound of a node's memory, whatever its peers do: the sum of the limits of its parts.
///
/// No node reaches all of them at once; one that exceeds the sum holds something unbounded. Row sizes are rounded up,
/// as each limit states them.
package struct MemoryBound: Sendable {
    /// Authenticated sessions.
    package let sessions: Int
    /// Connections without a finished handshake.
    package let strangers: Int
    /// Logs held.
    package let logs: Int

    package init(sessions: Int, strangers: Int, logs: Int) {
        self.sessions = min(sessions, Limits.sessionsCount + Limits.guestsCount)
        self.strangers = min(strangers, TransportLimits.incomingConnections)
        self.logs = logs
    }

    package var bytes: Int {
        Self.programBytes + StorageLimits.cacheBytes + StorageLimits.rememberedBytes + Limits.sharedMemoryBytes
            + sessions * (Self.socketBytes + Limits.sessionMemoryBytes) + Limits.queuedMemoryBytes(sessions)
            + strangers * Self.socketBytes + Limits.strangerMemoryBytes(strangers)
            + logs * (Self.logBytes + sessions * Self.logBytesPerSession)
    }

    /// The program, its libraries, its threads and the allocator's reserve: twice what an idle node takes. The only
    /// measured figure here.
    static let programBytes = 67_108_864
    /// Buffers that wait in the inbox, the copy of the one that is being handled, and bytes being written.
    ///
    /// Not counted is what the system's receive buffer holds when the peer ends the connection, which is read at once:
    /// the system's limit for it applies (`tcp_rmem`).
    static let socketBytes = (Inbox.mostBuffers + 1) * TransportLimits.readBytes + TransportLimits.writeBytes
    /// Frontier: 100 bytes in flat arrays, which double as they grow, and as much again during a comparison.
    static let logBytes = 400
    /// For each session: the peer's size of the log (an array that grows by half), the settlement or evidence sent to
    /// it, and a snapshot of the frontier for a reconciliation, whole and within the common scope.
    static let logBytesPerSession = 6 + 20 + 2 * 50
}
