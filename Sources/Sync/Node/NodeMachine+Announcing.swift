import Entries
import Sodium

/// Announcing and pushing what this node holds (`protocol/sync.md` §4, §6), and the own log's entries.
extension NodeMachine {
    /// Tells a peer of all changes that it was not told of: pushes what is fresh, announces ("names") the rest.
    mutating func announce(to id: SessionID) {
        guard !isGathering(for: id), links[id]?.announcer.hasReached(frontier.number) == false else { return }
        if links[id]?.announcer.isUnlisted == true, hasRoom(id) {
            let part = links[id]?.part
            let list = firstList(of: part)
            links[id]?.announcer = list
        }
        guard !readsResumption(of: id) else { return }
        let withheld = withheld
        // While the own log is held back its change is not announced, so no number at or above it may be given.
        let barrier =
            isHeldBack(from: id) ? withheld.map { frontier.number($0) - 1 } ?? .max : .max
        while links[id]?.announcer.hasReached(frontier.number) == false,
            hasRoom(id)
        {
            guard let page = links[id]?.nextPage(frontier, standings, withheld: withheld) else { return }
            // Changes that a reconciliation is to find have not been announced, so no number may be given.
            let isWhole = links[id]?.owesReconciliation == false
            let number = isWhole ? page.number.map { min($0, barrier) } ?? 0 : 0
            let isNews = number > links[id]?.told ?? 0
            tell(page.logs, upTo: isNews ? number : nil, id)
        }
        if links[id]?.resumed.isEmpty == false { links[id]?.resumed = [:] }
    }

    /// The list for a peer without a known cursor, newest first.
    private mutating func firstList(of part: PartID?) -> Announcer {
        guard part == nil else {
            let logs = frontier.newestFirst(now: now.wallMilliseconds, in: part)
            return .everything(logs: logs, place: 0, number: frontier.number)
        }
        let list = freshList()
        return .everything(logs: list.logs, place: 0, number: list.number)
    }

    private mutating func freshList() -> WholeList {
        if let list = wholeList, list.isFresh(at: frontier.number) { return list }
        let list = WholeList(
            logs: frontier.newestFirst(now: now.wallMilliseconds),
            number: frontier.number
        )
        wholeList = list
        return list
    }

    enum Telling {
        /// All logs as entries.
        case pushed
        case named
    }

    /// Pushes or announces these logs, and gives `number`, if any, in the last message.
    @discardableResult
    mutating func tell(_ logs: [UInt32], upTo number: UInt64?, _ id: SessionID) -> Telling {
        guard !logs.isEmpty else { return .pushed }
        var named: [LogSize] = []
        var judged: [HeldLog] = []
        var pushed: [LogSize] = []
        var chunks: [UnverifiedChunk] = []
        var bytes = 0
        let isBranch = links[id]?.branching != .named
        for log in logs {
            let item = frontier.item(log)
            if let mark = standings.isEmpty ? nil : standings.mark(of: log, in: frontier) {
                if let item = note(mark, to: id) { judged.append(item) }
                links[id]?.known.raise(log, to: item.size)
                continue
            }
            let known = gossip.isEmpty ? 0 : links[id]?.known.size(log) ?? 0
            if isBranch, bytes < Limits.pushedBytes,
                let fresh = links[id]?.resumption(of: item)
                    ?? gossip.chunks(of: item.log, from: known, to: item.size)
            {
                pushed.append(item)
                for chunk in fresh where chunk.size > known {
                    chunks.append(chunk)
                    bytes += chunk.wireBytes
                }
            } else {
                named.append(item)
            }
            links[id]?.known.raise(log, to: item.size)
        }
        if !chunks.isEmpty {
            let frames = Chunks.frames(chunks, lacking: [], number: named.isEmpty && judged.isEmpty ? number : nil)
            if links[id]?.serving.spend(frames) == true {
                for frame in frames { send(frame, to: id) }
                links[id]?.calm.disturb(now: time)
            } else {
                named.append(contentsOf: pushed)
            }
        }
        for lot in Changes.lots(judged) {
            // The last message carries the number.
            let isLast = named.isEmpty && lot.last?.log == judged.last?.log
            send(.changes(Changes(logs: lot.map(\.item), number: isLast ? number : nil, held: lot)), to: id)
        }
        if !named.isEmpty { send(.changes(Changes(logs: named, number: number)), to: id) }
        if let number { links[id]?.told = number }
        return named.isEmpty && judged.isEmpty ? .pushed : .named
    }

    // MARK: The own log

    /// Applies a local change, at once or after the transaction that is under way.
    mutating func takeLocal(_ local: LocalChange) {
        pipeline.noteOwn(now: time)
        guard !pipeline.isTaking else { return appended.append(local) }
        apply(local)
        for place in local.unwantedBodies { bodies.remove(place) }
    }

    /// Applies a local change.
    mutating func apply(_ local: LocalChange) {
        defer { forget(local.forgotten) }
        switch local {
        case .appended(let append, .own):
            takeOwn(append)
        case .appended(let append, .published):
            takeOwn(append)
            // A claim may have come since the store was asked: then the entry waits, although *published* was raised.
            if own?.mayLeave == true { published(append.row.size) }
        case .appended(let append, .others):
            gossip.put(append.chunk)
            apply(append.row)
        case .imported(let row):
            takeImported(row)
        }
    }

    /// Applies an entry that the author here wrote.
    private mutating func takeOwn(_ append: OwnAppend) {
        if own == nil {
            own = OwnLog(OwnLogState(log: append.row.log, size: 0, published: 0))
            // No connected peer was asked what it holds of this log: only Hello asks, and each session has just one.
            for id in order where sessions[id]?.node != nil { close(id, .replaced) }
        }
        own?.appended(append.chunk)
        apply(append.row)
    }

    /// Applies a changed frontier row of the store.
    mutating func apply(_ row: FrontierRow) {
        // A row that comes late was skipped by announcements made meanwhile: they go back before it.
        if row.number < frontier.number {
            wholeList = nil
            for id in order { links[id]?.announcer.rewind(before: row.number) }
        }
        frontier.apply(row)
    }

    /// Sends own entries, since the store has raised *published* to this size.
    mutating func published(_ size: UInt64) {
        for chunk in own?.hasPublished(size) ?? [] { gossip.put(chunk) }
        announceOwn()
    }

    /// Makes every link announce the own log, which was left out while it was withheld.
    mutating func announceOwn() {
        guard let own, !own.isWithheld, let log = frontier.log(own.log) else { return }
        let number = frontier.number(log)
        for id in order { links[id]?.announcer.rewind(before: number) }
    }
}
