/// What one transaction of the store takes over: chunks of many logs, bodies, and how far that brings each peer.
package struct TakeBatch: Hashable, Sendable {
    package var chunks: [SourcedChunk] = []
    package var bodies: [BodyArrival] = []
    /// Where each peer stands once this is durable.
    package var cursors: [PeerCursor] = []
    /// Peers of which it is not remembered any more, forgotten before `cursors` are taken.
    package var forgottenCursors: [NodeID] = []
    /// Logs of which a peer offered more than anybody could supply so far: asked for again, also after a restart.
    package var wants: [LogSize] = []
    /// Such logs that are not asked for any more: nobody has them.
    package var forgottenWants: [LogID] = []
    /// Logs whose writer forked: nothing of them is asked for any more.
    package var setAside: [LogID] = []
    /// Logs of which what is stored beyond their head is dropped, before the chunks are taken: nobody supplies the rest of
    /// that head, and somebody has another.
    package var restarts: [LogID] = []
    /// Logs of which what lies behind a gap is dropped, before the chunks are taken: another history of the log is proven,
    /// and the first difference may lie in the gap.
    package var droppedWindows: [LogID] = []
    /// The size of the own log that may leave this home from now on.
    package var published: UInt64?
    /// A peer has proven what this home did not write: its log is signed no further.
    package var stop: OwnLogStop?
    /// What root keys say of logs, verified: taken before the chunks.
    package var settlements: [SettlementArrival] = []
    /// Proofs that writers forked, checked: taken before the chunks.
    package var evidence: [EvidenceArrival] = []
    /// What came of comparing this store's branches with those of peers: taken after the chunks.
    package var findings: [ForkFinding] = []

    package init() {}

    package var isEmpty: Bool { self == TakeBatch() }

    /// The logs that it concerns, more than once if they are.
    package var logs: [LogID] {
        var logs = restarts + droppedWindows + settlements.map(\.log) + evidence.map(\.evidence.log)
        logs += chunks.map(\.chunk.log) + bodies.map(\.place.log) + findings.map(\.log)
        return logs + wants.map(\.log) + forgottenWants + setAside
    }

    /// What of it concerns one log alone.
    package func only(_ log: LogID) -> TakeBatch {
        var part = TakeBatch()
        part.chunks = chunks.filter { $0.chunk.log == log }
        part.bodies = bodies.filter { $0.place.log == log }
        part.wants = wants.filter { $0.log == log }
        part.forgottenWants = forgottenWants.filter { $0 == log }
        part.setAside = setAside.filter { $0 == log }
        part.restarts = restarts.filter { $0 == log }
        part.droppedWindows = droppedWindows.filter { $0 == log }
        part.settlements = settlements.filter { $0.log == log }
        part.evidence = evidence.filter { $0.evidence.log == log }
        part.findings = findings.filter { $0.log == log }
        return part
    }

    /// What of it concerns no log, or the own one.
    package var withoutLogs: TakeBatch {
        var rest = TakeBatch()
        rest.cursors = cursors
        rest.forgottenCursors = forgottenCursors
        rest.published = published
        rest.stop = stop
        return rest
    }

    /// True if it says what this home may sign or send: the disk has to have it before anything follows from it.
    package var isAboutSigning: Bool { published != nil || stop != nil }

    package struct SourcedChunk: Hashable, Sendable {
        package let chunk: VerifiedChunk
        package let source: NodeID
        package let position: Position

        package enum Position: Hashable, Sendable {
            /// Behind what is stored, or into what was left out: as its proof says.
            case next
            /// In the place of what lies behind a gap, which is dropped for it; nothing changes if it does not fit there.
            case inPlace
        }

        package init(chunk: VerifiedChunk, source: NodeID, position: Position = .next) {
            self.chunk = chunk
            self.source = source
            self.position = position
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

/// What ends the signing of the own log (`protocol/own-log.md`).
package struct OwnLogStop: Hashable, Sendable {
    package let proof: Proof
    /// How much of the log ever left this home; what the store noted beyond that stays here after all.
    package let published: UInt64

    package enum Proof: Hashable, Sendable {
        /// The log goes on behind what is here.
        case longer
        /// The log's device signed something else than what is here.
        case otherBranch
    }

    package init(proof: Proof, published: UInt64) {
        self.proof = proof
        self.published = published
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
    /// Logs with a chunk that did not continue what is stored, and brought nothing: they have to be asked for again, and
    /// no cursor of the batch was stored.
    package let skipped: [LogID]
    /// Logs with an entry that came with its body and does not keep it: a delete covers it.
    package let covered: [LogID]
    /// Bodies that were wanted and are not any more: a delete covers the entry, or it does not count.
    package let unwantedBodies: [BodyPlace]
    /// What is left out of the logs among `stored` now, at most one place of each.
    package let gaps: [GapPlace]
    /// Logs that had an item and have none now, though they are carried: what is stored of them is proven, and counts for
    /// nothing yet.
    package let emptied: [LogID]
    /// Identities of which all that counted was counted anew, for something of theirs counts no more.
    package let recounted: [Recount]

    /// How much work that was.
    package struct Recount: Hashable, Sendable {
        package let identity: IdentityID
        /// Those that counted before and are here.
        package let entries: UInt64
        /// Bytes of their votes, follows and deletes: an entry of the largest size holds some 1,800 choices.
        package let choiceBytes: UInt64

        package init(identity: IdentityID, entries: UInt64, choiceBytes: UInt64 = 0) {
            self.identity = identity
            self.entries = entries
            self.choiceBytes = choiceBytes
        }
    }

    package init(
        changes: [FrontierRow],
        stored: [LogSize],
        wantedBodies: [BodyPlace],
        refusedBodies: [TakeBatch.BodyArrival],
        forgotten: [LogID] = [],
        standings: [LogStanding] = [],
        skipped: [LogID] = [],
        covered: [LogID] = [],
        unwantedBodies: [BodyPlace] = [],
        gaps: [GapPlace] = [],
        emptied: [LogID] = [],
        recounted: [Recount] = []
    ) {
        self.changes = changes
        self.stored = stored
        self.wantedBodies = wantedBodies
        self.refusedBodies = refusedBodies
        self.forgotten = forgotten
        self.standings = standings
        self.skipped = skipped
        self.covered = covered
        self.unwantedBodies = unwantedBodies
        self.gaps = gaps
        self.emptied = emptied
        self.recounted = recounted
    }
}

/// What the author's own append changed.
package struct OwnAppend: Hashable, Sendable {
    package let chunk: VerifiedChunk
    package let row: FrontierRow
    /// Logs of the same person that gave way to this one, if this was its first entry.
    package let forgotten: [LogID]
    /// Bodies that were wanted, of entries that this deletes.
    package let unwantedBodies: [BodyPlace]

    package init(
        chunk: VerifiedChunk,
        row: FrontierRow,
        forgotten: [LogID] = [],
        unwantedBodies: [BodyPlace] = []
    ) {
        self.chunk = chunk
        self.row = row
        self.forgotten = forgotten
        self.unwantedBodies = unwantedBodies
    }
}
