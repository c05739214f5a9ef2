import Entries

/// A change of the store that no peer brought.
enum LocalChange: Sendable {
    case appended(OwnAppend, Way)
    /// A file brought it.
    case imported(FrontierRow)

    /// How an entry came to be appended (`NodeEvent`).
    enum Way: Sendable {
        /// The author here wrote it.
        case own
        /// The author here wrote it, and the transaction also raised *published* (`protocol/own-log.md` §1).
        case published
        /// It is of another's log: only benchmarks write such (`NodeEvent.brought`).
        case others
    }

    var row: FrontierRow {
        switch self {
        case .appended(let append, _): append.row
        case .imported(let row): row
        }
    }

    /// Logs that gave way to it: they are not carried any more.
    var forgotten: [LogID] {
        switch self {
        case .appended(let append, _): append.forgotten
        case .imported: []
        }
    }

    /// Bodies of entries that it deletes; a file's come with its report.
    var unwantedBodies: [BodyPlace] {
        switch self {
        case .appended(let append, _): append.unwantedBodies
        case .imported: []
        }
    }
}
