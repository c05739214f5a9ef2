internal import Storage
internal import Sync

/// What a node may have in memory at most, whatever its peers do: the sum of the limits that each part keeps.
///
/// Nobody reaches all of them at once; a node that needs more than this holds something that no limit bounds. What a row of
/// a table takes is rounded up, as each limit says it.
package struct MemoryBound: Sendable {
    /// Connections that said who they are, the others, and logs that are held.
    package let sessions: Int
    package let strangers: Int
    package let logs: Int

    package init(sessions: Int, strangers: Int, logs: Int) {
        self.sessions = min(sessions, Limits.sessionsCount + Limits.guestsCount)
        self.strangers = min(strangers, TransportLimits.incomingConnections)
        self.logs = logs
    }

    /// Everybody whom a node lets in.
    package static func most(logs: Int) -> Self {
        Self(sessions: .max, strangers: .max, logs: logs)
    }

    package var bytes: Int {
        Self.programBytes + StorageLimits.cacheBytes + StorageLimits.rememberedBytes + Limits.sharedMemoryBytes
            + sessions * (Self.socketBytes + Limits.sessionMemoryBytes) + Limits.queuedMemoryBytes(sessions)
            + strangers * Self.socketBytes + Limits.strangerMemoryBytes(strangers)
            + logs * (Self.logBytes + sessions * Self.logBytesPerSession)
    }

    /// The program, its libraries, its threads, and what the allocator keeps: twice what a node that nobody calls takes. The one
    /// figure here that is measured.
    static let programBytes = 67_108_864
    /// What was read and is not handled yet, and what is being written.
    static let socketBytes = TransportLimits.readBytes + TransportLimits.writeBytes
    /// Of the frontier: 100 bytes in flat arrays, which double as they grow; and as much while they are compared.
    static let logBytes = 400
    /// What a peer has of it, in an array that grows by half; what it was told of its settlement or fork; the frontier as it was when a
    /// reconciliation began, and within the scope of both.
    static let logBytesPerSession = 6 + 20 + 2 * 50
}
