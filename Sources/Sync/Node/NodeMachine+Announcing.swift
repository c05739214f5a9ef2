import Entries
import Sodium

/// What this node tells of its own logs and of what came from others.
extension NodeMachine {
    /// Tells a peer what it has not been told: pushes what is fresh, names the rest.
    mutating func announce(to id: SessionID) {
        guard !isGathering(for: id), links[id]?.announcer.hasReached(frontier.number) == false else { return }
        if links[id]?.announcer.isUnlisted == true, hasRoom(id) {
            let part = links[id]?.part
            let list = firstList(of: part)
            links[id]?.announcer = list
        }
        guard !readsResumption(of: id) else { return }
        let withheld = withheld
        // While the own log is held back its change has not been told, and nothing behind it counts as told.
        let barrier =
            isHeldBack(from: id) ? withheld.map { frontier.number($0) - 1 } ?? .max : .max
        while links[id]?.announcer.hasReached(frontier.number) == false,
            hasRoom(id)
        {
            guard let page = links[id]?.nextPage(frontier, standings, withheld: withheld) else { return }
            // What a reconciliation is to find has not been announced: no number counts it as told.
            let isWhole = links[id]?.owesReconciliation == false
            let number = isWhole ? page.number.map { min($0, barrier) } ?? 0 : 0
            let isNews = number > links[id]?.told ?? 0
            tell(page.logs, upTo: isNews ? number : nil, id)
        }
        if links[id]?.resumed.isEmpty == false { links[id]?.resumed = [:] }
    }

    /// What a stranger is told first, newest first.
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
        /// All of it, as entries.
        case pushed
        case named
    }

    /// Pushes or names these logs.
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
            let frames = Self.pack(chunks, lacking: [], number: named.isEmpty && judged.isEmpty ? number : nil)
            if links[id]?.serving.spend(frames) == true {
                for frame in frames { send(frame, to: id) }
                links[id]?.calm.disturb(now: time)
            } else {
                named.append(contentsOf: pushed)
            }
        }
        for lot in Self.lots(judged) {
            // The number stands in the last message.
            let isLast = named.isEmpty && lot.last?.log == judged.last?.log
            send(.changes(Changes(logs: lot.map(\.item), number: isLast ? number : nil, verdicts: lot)), to: id)
        }
        if !named.isEmpty { send(.changes(Changes(logs: named, number: number)), to: id) }
        if let number { links[id]?.told = number }
        return named.isEmpty && judged.isEmpty ? .pushed : .named
    }

    /// Messages of the usual size that carry these chunks; the number stands in the last.
    static func pack(
        _ chunks: [UnverifiedChunk],
        lacking: [LogID],
        lackingBefore: [LogID] = [],
        number: UInt64?
    ) -> [Frame] {
        var frames: [Frame] = []
        var message = Chunks()
        message.lacking = lacking
        message.lackingBefore = lackingBefore
        var bytes = (lacking.count + lackingBefore.count) * 34
        for chunk in chunks {
            let isFull = bytes + chunk.wireBytes > Limits.chunksMessageBytes
            if isFull || message.chunks.count >= Limits.chunksPerMessage, bytes > 0 {
                frames.append(Message.chunks(message).frame)
                message = Chunks()
                bytes = 0
            }
            message.chunks.append(chunk)
            bytes += chunk.wireBytes
        }
        message.number = number == 0 ? nil : number
        frames.append(Message.chunks(message).frame)
        return frames
    }

    // MARK: The own log

    /// What reached the store without a peer.
    enum Local: Sendable {
        case own(OwnAppend)
        case published(OwnAppend)
        case brought(OwnAppend)
        case imported(FrontierRow)

        var row: FrontierRow {
            switch self {
            case .own(let append), .published(let append), .brought(let append): append.row
            case .imported(let row): row
            }
        }

        /// Logs that it pushed out.
        var forgotten: [LogID] {
            switch self {
            case .own(let append), .published(let append), .brought(let append): append.forgotten
            case .imported: []
            }
        }

        /// Bodies of entries that it deletes; those of a file come with its report.
        var unwantedBodies: [BodyPlace] {
            switch self {
            case .own(let append), .published(let append), .brought(let append): append.unwantedBodies
            case .imported: []
            }
        }
    }

    /// Takes over at once, or when the transaction that is under way has been taken over.
    mutating func takeLocal(_ local: Local) {
        pipeline.noteOwn(now: time)
        guard !pipeline.isTaking else { return appended.append(local) }
        apply(local)
        for place in local.unwantedBodies { bodies.remove(place) }
    }

    mutating func apply(_ local: Local) {
        defer { forget(local.forgotten) }
        switch local {
        case .own(let append):
            takeOwn(append)
        case .published(let append):
            takeOwn(append)
            // A claim may have come since the store was given it: noted or not, it waits for that.
            if own?.mayLeave == true { published(append.row.size) }
        case .brought(let append):
            gossip.put(append.chunk)
            apply(append.row)
        case .imported(let row):
            takeImported(row)
        }
    }

    /// The author here wrote something.
    private mutating func takeOwn(_ append: OwnAppend) {
        if own == nil {
            own = OwnLog(OwnLogState(log: append.row.log, size: 0, published: 0))
            // Nobody was asked what it holds of this log: Hello asks, and a session has one Hello, which may be said already.
            for id in order where sessions[id]?.node != nil { close(id, .replaced) }
        }
        own?.appended(append.chunk)
        apply(append.row)
    }

    /// Takes over a row of the store's.
    mutating func apply(_ row: FrontierRow) {
        // Told late: what was told in the meantime left a gap, and the gap is told now.
        if row.number < frontier.number {
            wholeList = nil
            for id in order { links[id]?.announcer.rewind(before: row.number) }
        }
        frontier.apply(row)
    }

    /// The store has noted how much of the own log may leave: now it does.
    mutating func published(_ size: UInt64) {
        for chunk in own?.hasPublished(size) ?? [] { gossip.put(chunk) }
        announceOwn()
    }

    /// Tells the own log to those who were not told while it was withheld.
    mutating func announceOwn() {
        guard let own, !own.isWithheld, let log = frontier.log(own.log) else { return }
        let number = frontier.number(log)
        for id in order { links[id]?.announcer.rewind(before: number) }
    }
}
