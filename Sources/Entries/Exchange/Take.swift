/// What one transaction of the store takes over: chunks of many logs, bodies, and how far that brings each peer.
package struct TakeBatch: Hashable, Sendable {
    package var chunks: [SourcedChunk] = []
    package var bodies: [BodyArrival] = []
    /// Where each peer stands once this is durable.
    package var cursors: [PeerCursor] = []
    /// Logs of which a peer offered more than anybody could supply so far: asked for again, also after a restart.
    package var wants: [LogSize] = []
    /// Logs whose writer forked: nothing of them is asked for any more.
    package var setAside: [LogID] = []
    /// Logs of which what is stored beyond their head is dropped, before the chunks are taken: nobody supplies the rest of
    /// that head, and somebody has another.
    package var restarts: [LogID] = []
    /// The size of the own log that may leave this home from now on.
    package var published: UInt64?
    /// What root keys say of logs, verified: taken before the chunks.
    package var settlements: [SettlementArrival] = []
    /// Proofs that writers forked, checked: taken before the chunks.
    package var evidence: [EvidenceArrival] = []
    /// What came of comparing this store's branches with those of peers: taken after the chunks.
    package var findings: [ForkFinding] = []

    package init() {}

    package var isEmpty: Bool {
        chunks.isEmpty && bodies.isEmpty && cursors.isEmpty && wants.isEmpty && setAside.isEmpty && restarts.isEmpty
            && published == nil && settlements.isEmpty && evidence.isEmpty && findings.isEmpty
    }

    package struct SourcedChunk: Hashable, Sendable {
        package let chunk: VerifiedChunk
        package let source: NodeID

        package init(chunk: VerifiedChunk, source: NodeID) {
            self.chunk = chunk
            self.source = source
        }
    }

    /// A body from a peer; the store compares its hash with the entry's before it keeps it.
    package struct BodyArrival: Hashable, Sendable {
        package let place: BodyPlace
        package let payload: [UInt8]
        package let source: NodeID

        package init(place: BodyPlace, payload: [UInt8], source: NodeID) {
            self.place = place
            self.payload = payload
            self.source = source
        }
    }

    package struct PeerCursor: Hashable, Sendable {
        package let peer: NodeID
        package let cursor: Cursor

        package init(peer: NodeID, cursor: Cursor) {
            self.peer = peer
            self.cursor = cursor
        }
    }
}

/// What a transaction changed.
package struct TakeReport: Hashable, Sendable {
    /// The logs whose frontier item changed, with their new numbers, ascending.
    package let changes: [FrontierRow]
    /// How far each touched log is now stored, pending entries included.
    package let stored: [LogSize]
    /// Erasable entries that came without their body and are not covered by a delete.
    package let wantedBodies: [BodyPlace]
    /// Bodies whose hash was not the entry's: whoever sent one broke the protocol.
    package let refusedBodies: [TakeBatch.BodyArrival]
    /// Logs that this store does not carry: their identity has 16 before them (`protocol/identity.md`, Carried logs).
    ///
    /// What came of them was not kept; one that was held until now has no frontier item any more.
    package let forgotten: [LogID]
    /// The standings that changed, as they are now.
    package let standings: [LogStanding]

    package init(
        changes: [FrontierRow],
        stored: [LogSize],
        wantedBodies: [BodyPlace],
        refusedBodies: [TakeBatch.BodyArrival],
        forgotten: [LogID] = [],
        standings: [LogStanding] = []
    ) {
        self.changes = changes
        self.stored = stored
        self.wantedBodies = wantedBodies
        self.refusedBodies = refusedBodies
        self.forgotten = forgotten
        self.standings = standings
    }
}

/// What the author's own append changed.
package struct OwnAppend: Hashable, Sendable {
    package let chunk: VerifiedChunk
    package let row: FrontierRow
    /// Logs of the same person that gave way to this one, if this was its first entry.
    package let forgotten: [LogID]

    package init(chunk: VerifiedChunk, row: FrontierRow, forgotten: [LogID] = []) {
        self.chunk = chunk
        self.row = row
        self.forgotten = forgotten
    }
}
