package import Entries
internal import GRDB

/// A log that is not stored as its author signed it.
package struct DamagedLog: Hashable, Sendable {
    package let log: LogID
    /// All entries before it are what was signed.
    package let first: UInt64
    package let writer: Writer

    package enum Writer: Hashable, Sendable {
        /// This home: it is the own log, or one that was and of which nobody sent anything here, so that nobody else
        /// need have it.
        case own
        case other
    }
}

/// What came of comparing the stored logs with what was signed.
package struct Examination: Hashable, Sendable {
    package fileprivate(set) var damaged: [DamagedLog] = []
    /// Entries that are what was signed.
    package fileprivate(set) var entries: UInt64 = 0
    package fileprivate(set) var reach = Reach.everything

    package enum Reach: Hashable, Sendable {
        case everything
        /// The time was over: logs that came later were not looked at.
        case first
    }

    /// Damaged logs of others.
    package var ofOthers: Int { damaged.count { $0.writer == .other } }
    package var isOwnLogDamaged: Bool { damaged.contains { $0.writer == .own } }
}

/// Finds what a disk has changed in what was signed.
extension StoreReader {
    /// Compares the logs with what their authors signed, until `isOver`: first those of the home's person, then the
    /// others, in the order in which they came. Each is seen in a snapshot of its own.
    package func examineLogs(until isOver: () -> Bool = { false }) throws(StorageError) -> Examination {
        var examination = Examination()
        for authors in ExaminedLog.Authors.allCases {
            var number: Int64 = 0
            while let step = try reading({ try ExaminedLog.next(of: authors, after: number, $0, isOver) }) {
                number = step.number
                examination.add(step)
                if case .unfinished = step.outcome { return examination }
            }
        }
        return examination
    }

    /// Whether a log is stored as its author signed it; true if nothing is stored of it.
    package func isAsSigned(_ id: LogID) throws(StorageError) -> Bool {
        try reading { db in
            guard let log = try LogTable(db).log(id) else { return true }
            return switch try LogExamination(db).outcome(of: log) {
            case .sound, .unfinished: true
            case .damaged: false
            }
        }
    }
}

extension Examination {
    fileprivate mutating func add(_ step: ExaminedLog) {
        switch step.outcome {
        case .sound(let count): entries += count
        case .damaged(let first): damaged.append(DamagedLog(log: step.log, first: first, writer: step.writer))
        case .unfinished(let count):
            entries += count
            reach = .first
        }
    }
}

/// One log, with what came of comparing it with what was signed.
struct ExaminedLog {
    let number: Int64
    let log: LogID
    let writer: DamagedLog.Writer
    /// The log's row; nil if it cannot be read.
    let state: LogState?
    let outcome: LogExamination.Outcome

    /// Whose logs are looked at.
    enum Authors: CaseIterable {
        /// The person of this home, with all devices; of a hub there are none.
        case person
        case others

        fileprivate var select: String {
            let comparison: String =
                switch self {
                case .person: "IS"
                case .others: "IS NOT"
                }
            return """
                SELECT \(LogState.columns) FROM \(LogState.tables) WHERE logs.number > ? AND logs.identity \(comparison)
                (SELECT own.identity FROM logs AS own JOIN home ON own.number = home.own_log)
                ORDER BY logs.number LIMIT 1
                """
        }
    }

    private struct Row {
        let number: Int64
        let log: LogID
        let state: LogState?

        init(_ columns: Columns) throws {
            number = columns.integer(0)
            log = try columns.id(1)
            do {
                state = try LogState(columns)
            } catch StorageError.damaged {
                state = nil
            }
        }
    }

    /// Examines the log of these authors with the lowest number above `number`; nil: there is none.
    static func next(
        of authors: Authors,
        after number: Int64,
        _ db: Database,
        _ isOver: () -> Bool = { false }
    ) throws -> ExaminedLog? {
        guard let row = try Prepared(db, authors.select).first(number, read: { try Row($0) }) else { return nil }
        let isOwn = try HomeRow.read(db).ownLog == row.number
        let wasOwn = authors == .person && row.state.map { $0.source == nil } ?? false
        return ExaminedLog(
            number: row.number,
            log: row.log,
            writer: isOwn || wasOwn ? .own : .other,
            state: row.state,
            outcome: try outcome(of: row, db, isOver)
        )
    }

    private static func outcome(
        of row: Row,
        _ db: Database,
        _ isOver: () -> Bool
    ) throws -> LogExamination.Outcome {
        guard let state = row.state else { return .damaged(first: 0) }
        if isOver() { return .unfinished(entries: 0) }
        return try LogExamination(db).outcome(of: state, isOver: isOver)
    }
}
