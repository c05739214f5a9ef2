import Entries

/// How far a peer has been told what is held here (`protocol/sync.md §4`).
enum Announcer {
    /// A stranger is to be told everything, and the list of it is made when the first page is due.
    case unlisted
    /// A stranger is told everything, newest first; what changes meanwhile has a number greater than `number`.
    case everything(logs: [UInt32], place: Int, number: UInt64)
    /// Who comes back with a cursor, after this number, is brought what little is new instead of its names.
    case resuming(after: UInt64, Resumption)
    /// Whatever changed after this number, in the order of the changes: after a cursor, and from then on live.
    case changes(after: UInt64)

    /// What is brought, lot by lot: the first is checked there while the store reads the next.
    struct Resumption {
        /// The store is being asked for a lot; nil: it is yet to be.
        var question: (id: RequestID, wants: Int)?
        /// Bytes of entries that may yet be brought.
        var left = Limits.resumedBytes
    }

    /// For a peer that holds everything up to this number.
    static func behind(_ cursor: UInt64, of number: UInt64) -> Announcer {
        cursor < number ? .resuming(after: cursor, Resumption()) : .changes(after: cursor)
    }

    /// A page of announcements.
    struct Page {
        var logs: [UInt32] = []
        /// Everything up to here has then been announced; nil: more is to come.
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

    /// What was there before the connection has been told: what comes now are changes, as they happen.
    var isLive: Bool { !isForStranger }

    /// True if everything up to this number has been told.
    func hasReached(_ number: UInt64) -> Bool {
        switch self {
        case .unlisted, .everything: false
        case .resuming(let after, _), .changes(let after): after >= number
        }
    }

    /// Something at this number has to be told again, or for the first time.
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

    /// The next page of what is told within a part; what `skip` names is left out.
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
