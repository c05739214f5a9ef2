internal import Entries
internal import GRDB
internal import Sodium

/// Stores the new entries of one transaction, moves heads, folds what a head completes, numbers the changes.
final class Intake {
    var home: HomeRow
    let logs: LogTable
    let folding: Folding

    let db: Database
    private let lateNodes: Late<TreeNodes>
    private let lateWords: Late<WordTable>
    private let lateSides: Late<SideTable>
    private let lateEnds: Late<EndTable>
    private let lateWants: Late<BodyWants>
    private let arrivals: Late<LateArrivals>
    /// When this transaction takes its entries, in Unix milliseconds of this machine's clock.
    let now: UInt64
    var carriages: Carriages
    var recounting: Recounting?
    /// Identities that are unfolded until `finish`, since entries of theirs stopped counting.
    var suspended: Set<IdentityNumber> = []
    /// The suspended identities with the number of their counted entries, which is the cost.
    var recounted: [TakeReport.Recount] = []
    var hasWiped = false
    /// Bytes of the bodies that were wiped (`DiskBudget.countedBytes`).
    private var wipedBytes = 0
    /// The logs that this transaction has read, as they are so far.
    var open: [LogID: LogState] = [:]
    /// Logs whose frontier item changes.
    private var changed: [LogID] = []
    private var isChanged: Set<LogID> = []
    /// Logs to be written at the end.
    private var touched: [LogID] = []
    private var isTouched: Set<LogID> = []
    private(set) var wantedBodies: [BodyPlace] = []
    /// Bodies no longer wanted, since their entries do not count.
    private var hiddenBodies: [BodyPlace] = []
    private(set) var refusedBodies: [TakeBatch.BodyArrival] = []
    /// Logs refused or forgotten, since they are not carried.
    var forgotten: [LogID] = []
    /// The ends of chunks that did not continue their logs when they came.
    private var unfitting: [LogSize] = []
    /// Entries that came with a body that a delete covers.
    private var bare: [BodyPlace] = []
    /// Logs whose words, or standings, changed.
    var judged: Set<LogID> = []
    /// Accounts whose end came.
    var ended: Set<IdentityNumber> = []
    private var endRows: [FrontierRow] = []
    var judgedRoots: [LogID: JudgedRoots] = [:]
    /// The first late entry, of each log by its number, whose body came alone.
    var lateBodies: [Int64: UInt64] = [:]
    /// The lowest sequence number from which entries of a log were removed.
    private(set) var dropped: [LogID: UInt64] = [:]
    /// Logs truncated at their gap.
    var shortened: Set<LogID> = []

    init(_ db: Database, memory: LogMemory? = nil, now: UInt64) throws {
        self.db = db
        self.now = now
        home = try HomeRow.read(db)
        logs = LogTable(db, memory: memory)
        folding = try Folding(db, logs: logs, arrival: home.arrival)
        lateNodes = Late(db, TreeNodes.init)
        lateWords = Late(db, WordTable.init)
        lateSides = Late(db, SideTable.init)
        lateEnds = Late(db, EndTable.init)
        lateWants = Late(db, BodyWants.init)
        arrivals = Late(db, LateArrivals.init)
        carriages = Carriages(db)
    }

    /// The lowest nodes are computed from entries, which have to be in the file.
    var nodes: TreeNodes {
        get throws {
            try folding.entries.write()
            return try lateNodes.get()
        }
    }
    var words: WordTable { get throws { try lateWords.get() } }
    var sides: SideTable { get throws { try lateSides.get() } }
    var ends: EndTable { get throws { try lateEnds.get() } }
    var wants: BodyWants { get throws { try lateWants.get() } }
    var lateArrivals: LateArrivals { get throws { try arrivals.get() } }

    /// Whether the person of this home edited or deleted something, on whatever device: an edit of a post that is
    /// deleted may be among it.
    func mayHaveStrayEdits() throws -> Bool {
        guard !folding.editors.isEmpty, let number = home.ownLog, let own = try logs.log(number: number) else {
            return false
        }
        return folding.editors.contains(own.identity)
    }

    /// Bytes of the bodies that this transaction erases (`DiskBudget.countedBytes`).
    var erasedBytes: Int { wipedBytes + folding.erasedBytes }

    var aftermath: EntryStore.Aftermath { hasWiped ? .erasure : folding.aftermath }

    /// Stores a chunk that continues its log as stored, fills its gap, or opens one; any other is ignored.
    func take(_ chunk: VerifiedChunk, from source: NodeID?) throws {
        touch(chunk.log)
        guard var log = try place(for: chunk) else { return }
        open[log.log] = log
        if case .gap = chunk.proof { return try fill(log, with: chunk) }
        if log.isJudged { return try takeJudged(chunk, log, from: source) }
        // A chunk under a known root, and its nodes, are not stored once the log's words are forgotten.
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
            noteChanged(log.log)
        } else {
            try store(chunk.entries, of: log)
            log.pending = chunk.pending
        }
        open[log.log] = log
    }

    /// Logs with an ignored chunk that reaches beyond the stored end.
    var skipped: [LogID] {
        get throws {
            guard !unfitting.isEmpty else { return [] }
            let logs = try unfitting.filter { item in
                try !forgotten.contains(item.log) && (state(of: item.log)?.storedEnd ?? 0) < item.size
            }
            return Array(Set(logs.map(\.log))).sorted()
        }
    }

    /// Logs with a chunk that brought a body which a delete covers, be it one of the same transaction.
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

    /// Drops the entries of a log beyond its head that do not count.
    func restart(_ id: LogID) throws {
        guard var log = try state(of: id) else { return }
        touch(id)
        let before = log
        // Entries that count under evidence or a settlement stay, and so does the head that proves them.
        let kept = max(log.head?.size ?? 0, log.size)
        guard kept < log.storedEnd else { return }
        let left = kept > log.head?.size ?? 0 ? log.pending : nil
        let right = try left?.right(after: nodes.range(kept..<log.storedEnd, of: log))
        try drop(from: kept, of: &log)
        if let left, let right { log.pending = PendingHead(head: left.head, right: right) }
        if log.isJudged { try updateStanding(&log) }
        try replace(before, by: log, from: log.source)
    }

    /// Truncates the own log to an earlier size, under a head that is signed for it.
    func takeBack(_ id: LogID, to size: UInt64, signed: (Bytes32) -> Head?) throws {
        guard var log = try state(of: id) else { return }
        touch(id)
        noteChanged(id)
        try suspend(log.identity)
        try drop(from: size, of: &log)
        log.head = size == 0 ? nil : log.tip.root.flatMap(signed)
        log.count()
        log.time = size == 0 ? 0 : try folding.entries.entry(at: log.key(size - 1))?.time ?? log.time
        open[id] = log
    }

    /// Removes everything of a log from `first` on.
    func drop(from first: UInt64, of log: inout LogState) throws {
        dropped[log.log] = min(dropped[log.log] ?? first, first)
        try folding.entries.writeAll()
        let wants = try Prepared(db, "SELECT entry FROM body_wants WHERE entry >= ? AND entry < ?")
        hiddenBodies += try wants.all(log.key(first), log.key(max(first, log.storedEnd))) { [id = log.log] columns in
            BodyPlace(log: id, sequence: EntryKey(columns.integer(0)).sequence)
        }
        noteWiped(try LogTail(db).drop(from: first, of: &log))
    }

    /// Notes what became of a log's bodies.
    func noteWiped(_ outcome: LogTail.Outcome) {
        switch outcome {
        case .nothingStored: break
        case .wiped(let bytes):
            hasWiped = true
            wipedBytes += bytes
        }
    }

    /// Stores a body that fits the entry's length and hash; one that is not wanted is ignored.
    func take(_ body: TakeBatch.BodyArrival) throws {
        // Only bodies of entries that count are wanted: the account may have ended since this one was asked for.
        guard let log = try state(of: body.place.log), body.place.sequence < log.size else { return }
        let key = log.key(body.place.sequence)
        guard let entry = try folding.entries.entry(at: key), case .withheld(_, let hash) = entry.body else { return }
        let header = entry.header(in: log.log)
        let id = header.id
        guard header.wantsBody else {
            // Earlier versions wanted some such bodies again (`EntryStore.keep`).
            try wants.remove(key)
            return
        }
        guard try !folding.isCovered(id, of: log.identity) else { return }
        guard body.payload.count == Int(header.length), PayloadHash(of: body.payload) == hash else {
            refusedBodies.append(body)
            return
        }
        try folding.entries.add(body.payload, at: key)
        try wants.noteArrival(of: key)
        noteBody(of: header, in: log)
        guard !suspended.contains(log.identity) else { return }
        let author = Folding.Author(log: log.log, identity: log.identity)
        try folding.foldBody(header, id: id, payload: body.payload, at: key, by: author)
    }

    /// Bodies that are no longer wanted; an entry that replaced another may want its own.
    var unwantedBodies: [BodyPlace] { folding.unwantedBodies + hiddenBodies }

    /// A log as this transaction has it so far; nil if it is unknown.
    func state(of log: LogID) throws -> LogState? {
        if let known = open[log] { return known }
        let known = try logs.log(log)
        if let known { open[log] = known }
        return known
    }

    /// Numbers and writes the changed logs, the fold's buffers and the home's row.
    ///
    /// - Returns: the rows of the frontier that changed, ascending by number.
    func finish() throws -> [FrontierRow] {
        // The order reaches arrival numbers and what is asked for, and a set's is another in each process.
        for identity in suspended.sorted() {
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
        try noteLateArrivals()
        home.arrival = folding.arrival
        try home.write(db)
        return rows
    }

    /// The stored end of each log that this transaction touched.
    var stored: [LogSize] {
        touched.map { LogSize(log: $0, size: open[$0]?.storedEnd ?? 0) }
    }

    /// The present states of the logs that were written; of those in `forgotten` the own one alone.
    var changedLogs: [LogState] { touched.compactMap { open[$0] } }

    /// The logs that are written at the end, in the order in which they were touched.
    var touchedLogs: [LogID] { touched }

    func touch(_ log: LogID) {
        if isTouched.insert(log).inserted { touched.append(log) }
    }

    func noteChanged(_ log: LogID) {
        if isChanged.insert(log).inserted { changed.append(log) }
    }

    /// Numbers the end of an account at once, before the logs that change in this transaction.
    func numberEnd(_ end: SignedSettlement, from source: NodeID?, of identity: IdentityNumber) throws {
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

    /// Moves the tip over a chunk; false, and nothing changed, if the chunk was proven over another tip.
    ///
    /// A chunk is verified over a prefix that may not have been stored in the end: two histories are never mixed.
    func extend(_ log: inout LogState, with chunk: VerifiedChunk) throws -> Bool {
        guard log.tip == chunk.base else { return false }
        log.tip = chunk.tip
        try store(chunk.completed, of: log)
        return true
    }

    /// Moves the tip over entries of a side, which were proven when they came.
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
    }

    /// Stores and folds entries that a head completes.
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
    }

    private func want(_ key: EntryKey, of log: LogState) throws {
        if try wants.add(key) { wantedBodies.append(BodyPlace(log: log.log, sequence: key.sequence)) }
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

    /// Folds entries that were stored before they counted.
    func foldPending(of log: LogState, from start: UInt64, to end: UInt64) throws {
        let author = Folding.Author(log: log.log, identity: log.identity)
        guard start < end else { return }
        try folding.walk(start..<end, of: log) { stored in
            let coverage = try folding.fold(stored, by: author)
            if coverage == .free, stored.wantsBody { try want(stored.key, of: log) }
        }
    }
}
