import Entries

/// The announcement cursor of a link: how much of the frontier the peer has been told (`protocol/sync.md` §4).
enum Announcer {
    /// A peer without a known cursor, to be told everything; the list is made when its first page is due.
    case unlisted
    /// A peer without a known cursor is told everything, newest first; later changes have numbers above `number`.
    case everything(logs: [UInt32], place: Int, number: UInt64)
    /// A peer that returns with a cursor at `after` is pushed the few new entries, in the place of their logs' names.
    case resuming(after: UInt64, Resumption)
    /// The peer is told the changes after this number, in their order: behind a cursor, and from then on live.
    case changes(after: UInt64)

    /// Progress of pushing to a returning peer in lots of at most `Limits.resumedLotLogs` logs: the peer checks one
    /// while the store reads the next.
    struct Resumption {
        /// Logs of the lot that the store is reading; nil: it reads none.
        var lot: Int?
        /// Bytes of entries that may still be pushed.
        var left = Limits.resumedBytes
    }

    /// For a peer whose cursor is this number, where the own change number is `number`.
    static func behind(_ cursor: UInt64, of number: UInt64) -> Announcer {
        cursor < number ? .resuming(after: cursor, Resumption()) : .changes(after: cursor)
    }

    /// A page of announcements.
    struct Page {
        var logs: [UInt32] = []
        /// With this page, everything up to this number has been announced; nil: more is to come.
        var number: UInt64?
    }

    var isUnlisted: Bool {
        switch self {
        case .unlisted: true
        case .everything, .resuming, .changes: false
        }
    }

    var isForStranger: Bool {
        switch self {
        case .unlisted, .everything: true
        case .resuming, .changes: false
        }
    }

    /// Whether the list of everything is told: what remains are changes.
    var isLive: Bool { !isForStranger }

    /// Whether everything up to this number has been announced.
    func hasReached(_ number: UInt64) -> Bool {
        switch self {
        case .unlisted, .everything: false
        case .resuming(let after, _), .changes(let after): after >= number
        }
    }

    /// Goes back, so that the change with this number is announced again, or for the first time.
    mutating func rewind(before number: UInt64) {
        switch self {
        case .unlisted: break
        case .everything(let logs, let place, let upTo):
            self = .everything(logs: logs, place: place, number: min(upTo, number - 1))
        case .resuming(let after, let resumption):
            self = .resuming(after: min(after, number - 1), resumption)
        case .changes(let after):
            self = .changes(after: min(after, number - 1))
        }
    }

    /// The next page of logs within a part of the frontier, without those that `skip` names.
    mutating func next(_ frontier: Frontier, in part: PartID?, skip: (UInt32) -> Bool) -> Page {
        switch self {
        case .unlisted, .resuming: return Page()
        case .everything(let logs, var place, let number):
            var page = Page()
            while place < logs.count, page.logs.count < Limits.changesPageLogs {
                if !skip(logs[place]) { page.logs.append(logs[place]) }
                place += 1
            }
            if place < logs.count {
                self = .everything(logs: logs, place: place, number: number)
            } else {
                self = .changes(after: number)
                page.number = number
            }
            return page
        case .changes(let after):
            let changed = frontier.changed(after: after, in: part, limit: Limits.changesPageLogs)
            self = .changes(after: changed.through)
            return Page(logs: changed.logs.filter { !skip($0) }, number: changed.through)
        }
    }
}
