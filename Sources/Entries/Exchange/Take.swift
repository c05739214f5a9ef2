/// The input of one transaction of the store: chunks of many logs, bodies, and the peers' new cursors.
package struct TakeBatch: Hashable, Sendable {
    package var chunks: [SourcedChunk] = []
    package var bodies: [BodyArrival] = []
    /// The peers' cursors, once this is durable.
    package var cursors: [PeerCursor] = []
    /// Peers whose cursors are dropped, before `cursors` are stored.
    package var forgottenCursors: [NodeID] = []
    /// Logs of which a peer offered more than anybody supplied so far: wanted, also after a restart.
    package var wants: [LogSize] = []
    /// Logs that are no longer wanted: nobody has them.
    package var forgottenWants: [LogID] = []
    /// The own log, where entries that never left differ from what a peer proved: nothing more of it is asked for or
    /// taken (`protocol/own-log.md` §4).
    package var setAside: [LogID] = []
    /// Logs whose entries beyond their head are dropped before the chunks are stored: nobody supplies the rest of the
    /// pending head, and a peer has another.
    package var restarts: [LogID] = []
    /// Logs whose entries behind a gap are dropped before the chunks are stored: another history is proven, and the
    /// first difference may be in the gap.
    package var droppedWindows: [LogID] = []
    /// Size up to which the own log may leave this home from now on.
    package var published: UInt64?
    /// A peer has proven own-log entries that this home did not write: signing stops.
    package var stop: OwnLogStop?
    /// Verified settlements, stored before the chunks.
    package var settlements: [SettlementArrival] = []
    /// Verified fork evidence, stored before the chunks.
    package var evidence: [EvidenceArrival] = []
    /// First differences from peers' histories, applied after the chunks.
    package var findings: [ForkFinding] = []

    package init() {}

    package var isEmpty: Bool { self == TakeBatch() }

    /// The logs in the batch, with repetitions.
    package var logs: [LogID] {
        var logs = restarts + droppedWindows + settlements.map(\.log) + evidence.map(\.evidence.log)
        logs += chunks.map(\.chunk.log) + bodies.map(\.place.log) + findings.map(\.log)
        return logs + wants.map(\.log) + forgottenWants + setAside
    }

    /// The part of the batch about one log.
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

    /// The part of the batch about no log, or the own one.
    package var withoutLogs: TakeBatch {
        var rest = TakeBatch()
        rest.cursors = cursors
        rest.forgottenCursors = forgottenCursors
        rest.published = published
        rest.stop = stop
        return rest
    }

    /// Whether the batch changes what this home may sign or send: it must be durable before that takes effect.
    package var isAboutSigning: Bool { published != nil || stop != nil }

    package struct SourcedChunk: Hashable, Sendable {
        package let chunk: VerifiedChunk
        package let source: NodeID
        package let position: Position

        package enum Position: Hashable, Sendable {
            /// Behind the stored entries, or into the gap, as the proof says.
            case next
            /// In place of the entries behind a gap, which are dropped; no change if it does not fit there.
            case inPlace
        }

        package init(chunk: VerifiedChunk, source: NodeID, position: Position = .next) {
            self.chunk = chunk
            self.source = source
            self.position = position
        }
    }

    /// A body from a peer; the store compares its hash with the entry's.
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

/// Why signing of the own log stops (`protocol/own-log.md` §3).
package struct OwnLogStop: Hashable, Sendable {
    package let proof: Proof
    /// Size up to which the log ever left this home; replaces a higher size that the store noted.
    package let published: UInt64

    package enum Proof: Hashable, Sendable {
        /// The log goes on beyond the entries here.
        case longer
        /// The log's device signed another branch.
        case otherBranch
    }

    package init(proof: Proof, published: UInt64) {
        self.proof = proof
        self.published = published
    }
}

/// The changes made by a transaction.
package struct TakeReport: Hashable, Sendable {
    /// Changed frontier items with their new change numbers, ascending.
    package var changes: [FrontierRow]
    /// Stored end of each touched log, pending entries included.
    package var stored: [LogSize]
    /// Erasable entries that came without their body and are not covered by a delete.
    package var wantedBodies: [BodyPlace]
    /// Bodies whose hash was not the entry's: the sender lies, or holds another history of the log (`protocol/sync.md`
    /// §8).
    package var refusedBodies: [TakeBatch.BodyArrival]
    /// Logs that are not carried: 16 of their identity come before them (`protocol/identity.md` §6).
    ///
    /// Nothing of them was stored; one that was carried until now has lost its frontier item.
    package var forgotten: [LogID]
    /// Changed standings.
    package var standings: [LogStanding]
    /// Logs with a chunk that did not continue the stored entries and brought nothing: to be asked for again; the
    /// batch's cursors were not stored.
    package var skipped: [LogID]
    /// Logs with an entry whose body came and was dropped, since a delete covers it.
    package var covered: [LogID]
    /// Bodies that are no longer wanted: a delete covers the entry, or it no longer counts.
    package var unwantedBodies: [BodyPlace]
    /// Gaps of the logs in `stored`, at most one each.
    package var gaps: [GapPlace]
    /// Carried logs that lost their frontier item: their stored entries are proven, and none counts now.
    package var emptied: [LogID]
    /// Identities whose counted entries were folded anew, since some no longer count.
    package var recounted: [Recount]

    /// Cost of folding an identity anew.
    package struct Recount: Hashable, Sendable {
        package let identity: IdentityID
        /// Entries that counted before and are here.
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
        forgotten: [LogID],
        standings: [LogStanding],
        skipped: [LogID],
        covered: [LogID],
        unwantedBodies: [BodyPlace],
        gaps: [GapPlace],
        emptied: [LogID],
        recounted: [Recount]
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

    /// The report of a transaction that changed nothing.
    package static let nothing = TakeReport(
        changes: [],
        stored: [],
        wantedBodies: [],
        refusedBodies: [],
        forgotten: [],
        standings: [],
        skipped: [],
        covered: [],
        unwantedBodies: [],
        gaps: [],
        emptied: [],
        recounted: []
    )
}

/// The changes made by an own append.
package struct OwnAppend: Hashable, Sendable {
    package let chunk: VerifiedChunk
    package let row: FrontierRow
    /// Logs of the identity that are no longer carried, if this was the log's first entry.
    package let forgotten: [LogID]
    /// Bodies that were wanted, of entries that this deletes.
    package let unwantedBodies: [BodyPlace]

    package init(chunk: VerifiedChunk, row: FrontierRow, forgotten: [LogID], unwantedBodies: [BodyPlace]) {
        self.chunk = chunk
        self.row = row
        self.forgotten = forgotten
        self.unwantedBodies = unwantedBodies
    }
}
