internal import Entries
internal import GRDB
internal import Sodium

/// One transaction's worth of new entries: stores them, moves heads, folds what a head completes, numbers the changes.
final class Intake {
    var home: HomeRow
    let logs: LogTable
    let folding: Folding

    let db: Database
    private let lateNodes: Late<TreeNodes>
    private let lateVerdicts: Late<VerdictTable>
    private let lateSides: Late<SideTable>
    private let lateEnds: Late<EndTable>
    private let bodies: Late<WantedBodies>
    var carriages: Carriages
    var recounting: Recounting?
    /// Identities of which nothing is folded at the moment: entries of theirs stopped counting.
    var suspended: Set<IdentityNumber> = []
    /// The same, with what that costs.
    var recounted: [TakeReport.Recount] = []
    var hasWiped = false
    var open: [LogID: LogState] = [:]
    private var changed: [LogID] = []
    private var isChanged: Set<LogID> = []
    private var touched: [LogID] = []
    private var isTouched: Set<LogID> = []
    private(set) var wantedBodies: [BodyPlace] = []
    /// Bodies that are wanted no more, for their entries do not count.
    private var hiddenBodies: [BodyPlace] = []
    private(set) var refusedBodies: [TakeBatch.BodyArrival] = []
    /// Logs that came or were here, and are not carried.
    var forgotten: [LogID] = []
    /// Where chunks end that did not continue what was stored when they came.
    private var unfitting: [LogSize] = []
    /// Entries that came with a body that a delete covers.
    private var bare: [BodyPlace] = []
    /// Logs of which verdicts, or what follows from them, changed.
    var judged: Set<LogID> = []
    /// Accounts whose end came.
    var ended: Set<IdentityNumber> = []
    private var endRows: [FrontierRow] = []
    /// Logs that went back to where nothing is left out, and had an item before.
    var shortened: Set<LogID> = []

    private struct WantedBodies {
        let want: Prepared
        let drop: Prepared
        let dropped: DroppedBodies
    }

    init(_ db: Database) throws {
        self.db = db
        home = try HomeRow.read(db)
        logs = try LogTable(db)
        folding = try Folding(db, logs: logs, arrival: home.arrival)
        lateNodes = Late(db, TreeNodes.init)
        lateVerdicts = Late(db, VerdictTable.init)
        lateSides = Late(db, SideTable.init)
        lateEnds = Late(db, EndTable.init)
        bodies = Late(db) { db in
            WantedBodies(
                want: try Prepared(db, "INSERT OR IGNORE INTO body_wants (entry) VALUES (?)"),
                drop: try Prepared(db, "DELETE FROM body_wants WHERE entry = ?"),
                dropped: try DroppedBodies(db)
            )
        }
        carriages = Carriages(db)
    }

    var nodes: TreeNodes { get throws { try lateNodes.get() } }
    var verdicts: VerdictTable { get throws { try lateVerdicts.get() } }
    var sides: SideTable { get throws { try lateSides.get() } }
    var ends: EndTable { get throws { try lateEnds.get() } }

    /// Whether words that were on disk have been taken off it.
    var hasErased: Bool { hasWiped || folding.hasErased }

    /// Stores a chunk that continues what is stored of its log; any other is left alone.
    func take(_ chunk: VerifiedChunk, from source: NodeID?) throws {
        touch(chunk.log)
        guard var log = try place(for: chunk) else { return }
        open[log.log] = log
        if case .gap = chunk.proof { return try fill(log, with: chunk) }
        if log.isJudged { return try takeJudged(chunk, log, from: source) }
        // Nothing of what a root proved is kept, nodes among it, once what was said of the log is forgotten.
        guard let head = chunk.head, try chunk.left == nil ? extend(&log, with: chunk) : leap(&log, to: chunk)
        else { return noteUnfitting(chunk) }

        if chunk.reachesHead {
            if log.size == 0 { try admit(log) }
            if suspended.contains(log.identity) {
                try store(chunk.entries, of: log)
            } else {
                try foldPending(of: log, from: log.size, to: chunk.start)
                try fold(chunk.entries, of: log)
            }
            log.head = head
            log.pending = nil
            log.count()
            log.time = chunk.entries.last?.header.time ?? log.time
            log.source = source
            note(log.log)
        } else {
            try store(chunk.entries, of: log)
            log.pending = chunk.pending
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

    func noteUnfitting(_ chunk: VerifiedChunk) {
        unfitting.append(LogSize(log: chunk.log, size: chunk.end))
    }

    /// Forgets what is stored of a log beyond its head.
    func restart(_ id: LogID) throws {
        guard var log = try state(of: id) else { return }
        touch(id)
        let before = log
        // What evidence or a settlement leaves is nobody's to take back, nor what proves it.
        let kept = max(log.head?.size ?? 0, log.size)
        guard kept < log.storedEnd else { return }
        let left = kept > log.head?.size ?? 0 ? log.pending : nil
        let right = try left?.right(after: nodes.range(kept..<log.storedEnd, of: log))
        try drop(from: kept, of: &log)
        if let left, let right { log.pending = PendingHead(head: left.head, right: right) }
        if log.isJudged { try restand(&log) }
        try replace(before, by: log, from: log.source)
    }

    /// Takes the own log back to an earlier size, under a head that is signed for it; what lies behind is dropped.
    func takeBack(_ id: LogID, to size: UInt64, signed: (Bytes32) -> Head?) throws {
        guard var log = try state(of: id) else { return }
        touch(id)
        note(id)
        try suspend(log.identity)
        try drop(from: size, of: &log)
        log.head = size == 0 ? nil : log.tip.root.flatMap(signed)
        log.count()
        log.time = size == 0 ? 0 : try folding.entries.entry(at: log.key(size - 1))?.time ?? log.time
        open[id] = log
    }

    /// Takes everything from `first` on out of the file.
    func drop(from first: UInt64, of log: inout LogState) throws {
        try folding.entries.writeAll()
        let wants = try Prepared(db, "SELECT entry FROM body_wants WHERE entry >= ? AND entry < ?")
        hiddenBodies += try wants.all(log.key(first), log.key(max(first, log.storedEnd))) { [id = log.log] columns in
            BodyPlace(log: id, sequence: EntryKey(columns.integer(0)).sequence)
        }
        if try LogTail(db).drop(from: first, of: &log) == .wiped { hasWiped = true }
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
        let bodies = try bodies.get()
        try bodies.drop.run(key)
        try bodies.dropped.remove(key)
        guard key.sequence < log.size, !suspended.contains(log.identity) else { return }
        let author = Folding.Author(log: log.log, identity: log.identity)
        try folding.foldBody(header, id: id, payload: body.payload, at: key, by: author)
    }

    /// Bodies that were wanted and are not any more; what took the place of an entry may want its own.
    var unwantedBodies: [BodyPlace] { folding.unwantedBodies + hiddenBodies }

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
            guard let bodies = try recounting?.count(states(of: identity), of: identity) else { continue }
            wantedBodies += bodies.wanted
            hiddenBodies += bodies.unwanted
        }
        var rows = endRows
        for id in changed where open[id]?.hasItem == true {
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

    /// Logs that were written, as they are now; of those in `forgotten` the own one alone.
    var changedLogs: [LogState] { touched.compactMap { open[$0] } }

    func touch(_ log: LogID) {
        if isTouched.insert(log).inserted { touched.append(log) }
    }

    func note(_ log: LogID) {
        if isChanged.insert(log).inserted { changed.append(log) }
    }

    /// Numbers the end of an account, now: it stands before the logs that change in this transaction.
    func note(_ end: SignedSettlement, from source: NodeID?, of identity: IdentityNumber) throws {
        home.number &+= 1
        let end = EndTable.End(
            identity: end.settlement.identity,
            signed: end,
            change: home.number,
            source: source
        )
        try ends.write(end, of: identity)
        endRows.append(end.row)
    }

    /// Moves the tip over the chunk; false, and nothing changed, if that does not lead where the chunk was proven.
    ///
    /// A chunk is checked over a prefix that may have been on its way here, and not arrived: two histories are never mixed.
    func extend(_ log: inout LogState, with chunk: VerifiedChunk) throws -> Bool {
        guard log.tip == chunk.base else { return false }
        log.tip = chunk.tip
        try store(chunk.completed, of: log)
        return true
    }

    /// Moves the tip over entries that were proven when they came, and were kept aside.
    func extend(_ log: inout LogState, with entries: [Entry]) throws {
        var completed: [TreeNode] = []
        for entry in entries {
            log.tip.append(leaf: entry.id.raw) { place, node in
                if place.level >= EntryLimits.lowestKeptLevel { completed.append(TreeNode(place: place, hash: node)) }
            }
        }
        try store(completed, of: log)
    }

    func store(_ completed: [TreeNode], of log: LogState) throws {
        for node in completed { try nodes.store(node.hash, at: node.place, of: log.number) }
    }

    func store(_ entries: [Entry], of log: LogState) throws {
        for entry in entries { _ = try store(entry, at: log.key(entry.header.sequence), of: log) }
        try folding.entries.write()
    }

    /// Stores and folds what a head completes.
    func fold(_ entries: [Entry], of log: LogState) throws {
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
        try folding.entries.write()
    }

    private func want(_ key: EntryKey, of log: LogState) throws {
        let bodies = try bodies.get()
        guard try !bodies.dropped.contains(key) else { return }
        try bodies.want.run(key)
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

    /// Folds what was stored before it counted.
    func foldPending(of log: LogState, from start: UInt64, to end: UInt64) throws {
        let author = Folding.Author(log: log.log, identity: log.identity)
        guard start < end else { return }
        let rows = try Prepared(db, StoredEntry.span)
        for part in log.present(of: start..<end) {
            var next = part.lowerBound
            // In portions: the statement that reads may not be open while the fold writes what it reads.
            while next < part.upperBound {
                let portion = min(part.upperBound, next + 1_024)
                let entries = try rows.all(log.key(next), log.key(portion)) { try StoredEntry($0) }
                guard UInt64(entries.count) == portion - next else {
                    throw StorageError.damaged("an entry is missing")
                }
                for stored in entries {
                    let coverage = try folding.fold(stored, by: author)
                    if coverage == .free, stored.wantsBody { try want(stored.key, of: log) }
                }
                try folding.relieve()
                next = portion
            }
        }
    }
}
