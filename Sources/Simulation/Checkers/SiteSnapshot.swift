package import Entries
internal import Foundation
package import Storage
package import Sync

/// The final state of one honest node: what it holds and shows.
package struct SiteSnapshot: Sendable {
    package let number: Int
    package let node: NodeID
    package var fingerprint: Fingerprint?
    /// Wanted logs, with those that no peer supplied, which are retried all the same.
    package var wantedLogs = 0
    /// Bodies that the machine wants; `missingBodies` is what the store lacks.
    package var wantedBodies = 0
    /// Gaps that the machine wants filled; `gaps` is what the store has.
    package var wantedGaps = 0
    package var items: [LogID: FrontierItem] = [:]
    package var identities: [LogID: IdentityID] = [:]
    /// Time of the last entry of each log, as the frontier has it, Unix milliseconds.
    package var times: [LogID: UInt64] = [:]
    /// The entries of each log that count, in order, without those of its gap.
    package var entries: [LogID: [Entry]] = [:]
    package var gaps: [LogID: Range<UInt64>] = [:]
    package var missingBodies: Set<BodyPlace> = []
    /// The real feed's answers; nil in a home without a reader.
    package var shown: Shown?
    /// Tokens found in the home's files; nil if it has none.
    package var tokens: Set<UInt64>?
    package var peakLoad = NodeLoad()
    package var bounds = NodeBounds()
    package var quiet = QuietHour()

    package init(number: Int, node: NodeID) {
        self.number = number
        self.node = node
    }

    /// Whether the log has no gap here and none of its bodies is missing.
    package func isWhole(_ log: LogID) -> Bool {
        gaps[log]?.isEmpty ?? true && !missingBodies.contains { $0.log == log }
    }

    /// Entries named by a delete of the same person that counts here: only their headers may be left.
    package var erased: Set<EntryID> {
        var authors: [EntryID: IdentityID] = [:]
        var named: [(EntryID, IdentityID)] = []
        for (log, entries) in entries {
            guard let identity = identities[log] else { continue }
            for entry in entries {
                authors[entry.id] = identity
                guard let payload = entry.payload,
                    case .delete(let delete)? = try? Payload.decode(kind: entry.header.kind, bytes: payload)
                else { continue }
                named += delete.entries.map { ($0, identity) }
            }
        }
        return Set(named.filter { authors[$0.0] == $0.1 }.map(\.0))
    }

    /// An entry that counts and is held; nil if there is none.
    package func entry(_ sequence: UInt64, of log: LogID) -> Entry? {
        var place = sequence
        if let gap = gaps[log], sequence >= gap.lowerBound {
            if gap.contains(sequence) { return nil }
            place -= UInt64(gap.count)
        }
        guard let entries = entries[log], place < entries.count else { return nil }
        return entries[Int(place)]
    }

    /// Answers of the real feed queries.
    package struct Shown: Sendable {
        package var feed: [EntryID]
        package var posts: [EntryID: PostRow]
        package var following: [IdentityID: Set<IdentityID>]

        package init(feed: [EntryID], posts: [EntryID: PostRow], following: [IdentityID: Set<IdentityID>]) {
            self.feed = feed
            self.posts = posts
            self.following = following
        }
    }
}

extension Site {
    /// Reads the final state of this node.
    func snapshot(at now: UInt64) throws -> SiteSnapshot {
        var snapshot = SiteSnapshot(number: number, node: node)
        let status = machine?.status
        snapshot.fingerprint = status?.fingerprint
        snapshot.wantedLogs = (status?.wantedLogs ?? 0) + (status?.unsuppliedLogs ?? 0)
        snapshot.wantedBodies = status?.wantedBodies ?? 0
        snapshot.wantedGaps = status?.gaps ?? 0
        snapshot.peakLoad = peakLoad
        snapshot.bounds = configuration.bounds
        let state = try home.state()
        snapshot.missingBodies = Set(state.wantedBodies)
        for gap in state.gaps { snapshot.gaps[gap.log] = gap.bounds }
        for row in state.frontier {
            snapshot.items[row.log] = row.item
            snapshot.identities[row.log] = row.identity
            snapshot.times[row.log] = row.time
            snapshot.entries[row.log] = try home.entries(of: row.log, without: snapshot.gaps[row.log])
        }
        if let reader = home.reader { snapshot.shown = try shown(reader, snapshot, at: now) }
        snapshot.tokens = try home.files.map { files in
            try files.reduce(into: []) { tokens, file in
                tokens.formUnion(Ledger.tokens(in: Array(try Data(contentsOf: URL(fileURLWithPath: file)))))
            }
        }
        return snapshot
    }

    private func shown(_ reader: StoreReader, _ snapshot: SiteSnapshot, at now: UInt64) throws -> SiteSnapshot.Shown {
        var query = FeedQuery(now: now, reader: nil)
        query.limit = StorageLimits.feedPagePosts
        var shown = SiteSnapshot.Shown(feed: try reader.feed(query).posts.map(\.id), posts: [:], following: [:])
        for log in snapshot.entries.keys.sorted() {
            for entry in snapshot.entries[log] ?? [] where entry.header.foldedKind == .post {
                shown.posts[entry.id] = try reader.post(entry.id, reader: nil)
            }
        }
        for identity in Set(snapshot.identities.values) {
            shown.following[identity] = Set(try reader.following(identity))
        }
        return shown
    }
}
