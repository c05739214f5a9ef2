internal import Entries
internal import GRDB
internal import Sodium

/// One transaction's worth of new entries: stores them, moves heads, folds what a head completes, numbers the changes.
final class Intake {
    var home: HomeRow
    let logs: LogTable
    let folding: Folding

    private let db: Database
    private let nodes: TreeNodes
    private let rows: Prepared
    private let insertBodyWant: Prepared
    private let dropBodyWant: Prepared
    private var carriages: Carriages
    private var recounting: Recounting?
    /// Identities of which nothing is folded at the moment: entries of theirs stopped counting.
    private var suspended: Set<IdentityNumber> = []
    private var hasWiped = false
    private var open: [LogID: LogState] = [:]
    private var changed: [LogID] = []
    private var isChanged: Set<LogID> = []
    private var touched: [LogID] = []
    private var isTouched: Set<LogID> = []
    private(set) var wantedBodies: [BodyPlace] = []
    private(set) var refusedBodies: [TakeBatch.BodyArrival] = []
    /// Logs that came or were here, and are not carried.
    private(set) var forgotten: [LogID] = []
    /// Where chunks end that did not continue what was stored when they came.
    private var unfitting: [LogSize] = []
    /// Entries that came with a body that a delete covers.
    private var bare: [BodyPlace] = []

    init(_ db: Database) throws {
        self.db = db
        home = try HomeRow.read(db)
        logs = try LogTable(db)
        folding = try Folding(db, logs: logs, arrival: home.arrival)
        nodes = try TreeNodes(db)
        rows = try Prepared(db, StoredEntry.span)
        insertBodyWant = try Prepared(db, "INSERT OR IGNORE INTO body_wants (entry) VALUES (?)")
        dropBodyWant = try Prepared(db, "DELETE FROM body_wants WHERE entry = ?")
        carriages = try Carriages(db)
    }

    /// Whether words that were on disk have been taken off it.
    var hasErased: Bool { hasWiped || folding.hasErased }

    /// Stores a chunk that continues what is stored of its log; any other is left alone.
    func take(_ chunk: VerifiedChunk, from source: NodeID?) throws {
        touch(chunk.log)
        guard var log = try place(for: chunk) else { return }
        open[log.log] = log
        // Checked over a prefix that may have been on its way here, and not arrived: two histories are never mixed.
        guard chunk.start == log.storedEnd, let completed = try extend(&log, with: chunk) else {
            unfitting.append(LogSize(log: chunk.log, size: chunk.end))
            return
        }
        for (place, node) in completed { try nodes.store(node, at: place, of: log.number) }

        if chunk.reachesHead {
            if log.size == 0 { try admit(log) }
            if suspended.contains(log.identity) {
                try store(chunk.entries, of: log)
            } else {
                try foldPending(of: log, to: chunk.start)
                try fold(chunk.entries, of: log)
            }
            log.head = chunk.head ?? log.head
            log.pending = nil
            log.count()
            log.time = chunk.entries.last?.header.time ?? log.time
            log.source = source
            note(log.log)
        } else {
            try store(chunk.entries, of: log)
            log.pending = chunk.head ?? log.pending
        }
        open[log.log] = log
    }

    /// Logs of which a chunk was left alone that reaches further than what is stored now.
    var skipped: [LogID] {
        get throws {
            guard !unfitting.isEmpty else { return [] }
            let logs = try unfitting.filter { item in
                try !forgotten.contains(item.log) && (state(of: item.log)?.storedEnd ?? 0) < item.size
            }
            return Array(Set(logs.map(\.log))).sorted()
        }
    }

    /// Logs of those chunks that brought a body which a delete covers, be it in the same transaction.
    func covered(among chunks: [TakeBatch.SourcedChunk]) -> [LogID] {
        let places = bare + folding.erased
        guard !places.isEmpty else { return [] }
        let spans = Dictionary(grouping: chunks.map(\.chunk), by: \.log)
        let logs = places.filter { place in
            spans[place.log]?.contains { ($0.start..<$0.end).contains(place.sequence) } ?? false
        }
        return Array(Set(logs.map(\.log))).sorted()
    }

    /// The log that a chunk is for; nil if there is no place for the chunk, or none for the log.
    private func place(for chunk: VerifiedChunk) throws -> LogState? {
        let log: LogState
        if let known = try state(of: chunk.log) {
            log = known
        } else {
            guard chunk.start == 0 else {
                unfitting.append(LogSize(log: chunk.log, size: chunk.end))
                return nil
            }
            log = try logs.add(chunk.certificate)
            open[log.log] = log
        }
        // Looked at before anything is stored: a log that will have no place need not be fetched to its head.
        if log.size == 0, try !carriages.admits(log) {
            try forget(log)
            return nil
        }
        return log
    }

    /// Whether the own log may grow: it is carried, or would be.
    func admits(_ log: LogState) throws -> Bool {
        try log.size > 0 || carriages.admits(log)
    }

    /// Ranks a log that is about to get its first item; those that have no room beside it are forgotten.
    private func admit(_ log: LogState) throws {
        for id in try carriages.insert(log) {
            guard let last = try state(of: id) else { continue }
            try suspend(last.identity)
            try forget(last)
        }
    }

    /// Takes a log out of the file, the own one out of the count alone.
    private func forget(_ log: LogState) throws {
        var log = log
        if !forgotten.contains(log.log) { forgotten.append(log.log) }
        try Prepared(db, "DELETE FROM wants WHERE log = ?").run(log.log.raw)
        if log.number == home.ownLog {
            touch(log.log)
            log.discount()
            open[log.log] = log
            return
        }
        if try LogTail(db).drop(from: 0, of: &log) == .wiped { hasWiped = true }
        try logs.remove(log)
        open[log.log] = nil
    }

    /// Takes out of the fold what an identity's entries added, until `finish` folds those that count by then.
    private func suspend(_ identity: IdentityNumber) throws {
        guard suspended.insert(identity).inserted else { return }
        var recounting = try recounting ?? Recounting(db, folding)
        try recounting.uncount(states(of: identity), of: identity)
        self.recounting = recounting
    }

    private func states(of identity: IdentityNumber) throws -> [LogState] {
        try logs.numbers(of: identity).compactMap { number in
            guard let stored = try logs.log(number: number) else { return nil }
            return open[stored.log] ?? stored
        }
    }

    /// Forgets what is stored of a log beyond its head.
    func restart(_ id: LogID) throws {
        guard var log = try state(of: id) else { return }
        touch(id)
        if try LogTail(db).drop(from: log.head?.size ?? 0, of: &log) == .wiped { hasWiped = true }
        open[id] = log
    }

    /// Keeps a body that the entry's hash fits; one that is not wanted is left alone.
    func take(_ body: TakeBatch.BodyArrival) throws {
        guard let log = try state(of: body.place.log), body.place.sequence < log.storedEnd else { return }
        let key = log.key(body.place.sequence)
        guard let entry = try folding.entries.entry(at: key), case .withheld(_, let hash) = entry.body else { return }
        let header = entry.header(in: log.log)
        let id = header.id
        guard header.wantsBody, try !folding.isCovered(id, of: log.identity) else { return }
        guard body.payload.count == Int(header.length), PayloadHash(of: body.payload) == hash else {
            refusedBodies.append(body)
            return
        }
        try folding.entries.add(body.payload, at: key)
        try dropBodyWant.run(key)
        guard key.sequence < log.size, !suspended.contains(log.identity) else { return }
        let author = Folding.Author(log: log.log, identity: log.identity)
        try folding.foldBody(header, id: id, payload: body.payload, at: key, by: author)
    }

    /// A log as this transaction has it so far; nil if it is unknown.
    func state(of log: LogID) throws -> LogState? {
        if let known = open[log] { return known }
        let known = try logs.log(log)
        if let known { open[log] = known }
        return known
    }

    /// Numbers and writes what changed, the fold's counters and the home's row.
    ///
    /// - Returns: the rows of the frontier that changed, ascending by number.
    func finish() throws -> [FrontierRow] {
        for identity in suspended {
            wantedBodies += try recounting?.count(states(of: identity), of: identity) ?? []
        }
        var rows: [FrontierRow] = []
        for id in changed where open[id]?.frontierRow != nil {
            home.number &+= 1
            open[id]?.change = home.number
            if let row = open[id]?.frontierRow { rows.append(row) }
        }
        for id in touched {
            if let log = open[id] { try logs.write(log) }
        }
        try folding.finish()
        home.arrival = folding.arrival
        try home.write(db)
        return rows
    }

    /// How far each log that a chunk was offered for is stored now.
    var stored: [LogSize] {
        touched.map { LogSize(log: $0, size: open[$0]?.storedEnd ?? 0) }
    }

    private func touch(_ log: LogID) {
        if isTouched.insert(log).inserted { touched.append(log) }
    }

    private func note(_ log: LogID) {
        if isChanged.insert(log).inserted { changed.append(log) }
    }

    /// Moves the tip over the chunk; nil, and nothing changed, if that does not lead where the chunk was proven.
    private func extend(_ log: inout LogState, with chunk: VerifiedChunk) throws -> [(TreePlace, Bytes32)]? {
        var tip = log.tip
        var completed: [(TreePlace, Bytes32)] = []
        for entry in chunk.entries {
            tip.append(leaf: entry.id.raw) { place, node in
                if place.level >= StorageLimits.lowestStoredLevel { completed.append((place, node)) }
            }
        }
        guard tip == chunk.tip else { return nil }
        log.tip = tip
        return completed
    }

    private func store(_ entries: [Entry], of log: LogState) throws {
        for entry in entries { _ = try store(entry, at: log.key(entry.header.sequence), of: log) }
    }

    /// Stores and folds what a head completes.
    private func fold(_ entries: [Entry], of log: LogState) throws {
        let author = Folding.Author(log: log.log, identity: log.identity)
        for entry in entries {
            let key = log.key(entry.header.sequence)
            let coverage = try store(entry, at: key, of: log)
            if entry.body == .withheld, coverage == .free, entry.header.wantsBody { try want(key, of: log) }
            try folding.fold(
                entry.header,
                id: entry.id,
                payload: coverage == .free ? entry.payload : nil,
                at: key,
                by: author,
                coverage: coverage
            )
        }
    }

    private func want(_ key: EntryKey, of log: LogState) throws {
        try insertBodyWant.run(key)
        wantedBodies.append(BodyPlace(log: log.log, sequence: key.sequence))
    }

    private func store(_ entry: Entry, at key: EntryKey, of log: LogState) throws -> Folding.Coverage {
        let header = entry.header
        guard header.isErasable else {
            try folding.entries.store(entry, at: key, body: entry.body)
            return .free
        }
        let coverage: Folding.Coverage = try folding.isCovered(entry.id, of: log.identity) ? .covered : .free
        try folding.entries.store(entry, at: key, body: coverage == .free ? entry.body : .withheld)
        if coverage == .covered, entry.body != .withheld {
            bare.append(BodyPlace(log: log.log, sequence: header.sequence))
        }
        return coverage
    }

    /// Folds what was stored before its head was complete.
    private func foldPending(of log: LogState, to end: UInt64) throws {
        let author = Folding.Author(log: log.log, identity: log.identity)
        var next = log.size
        // In portions: the statement that reads may not be open while the fold writes what it reads.
        while next < end {
            let portion = min(end, next + 1_024)
            let entries = try rows.all(log.key(next), log.key(portion)) { try StoredEntry($0) }
            guard UInt64(entries.count) == portion - next else {
                throw StorageError.damaged("an entry is missing")
            }
            for stored in entries {
                let coverage = try folding.fold(stored, by: author)
                if coverage == .free, stored.wantsBody { try want(stored.key, of: log) }
            }
            next = portion
        }
    }
}
