package import Entries

/// An in-memory store without a feed, for simulations of thousands of nodes.
package final class LightStore: WorldStore {
    /// Modified by this type and its extensions only.
    var logs: [LogID: LightLog] = [:]
    private var order: [LogID] = []
    private var number: UInt64 = 0
    private var runs: [StoreIDRange] = []
    private var cursors: [NodeID: Cursor] = [:]
    /// The sizes of logs that are wanted; modified by this type and its extensions only.
    var wants: [LogID: UInt64] = [:]
    private var wantedBodies: [BodyPlace] = []
    private var setAside: [LogID] = []
    /// The own log; nil until one is registered or written.
    var own: OwnLogState?
    private var accounts = LightAccounts()
    /// The last transaction, or the present one.
    var transaction = LightTransaction()
    /// How many of the next transactions fail, with `full`.
    package var failingTakes = 0
    /// How many of the next calls of `prefixes` fail, with `full`.
    package var failingPrefixes = 0
    /// A log that is unreadable: `take` and `prefixes` fail with `damaged` if they name it; other reads do not.
    package var damaged: LogID?
    /// Logs that each `TakeReport` names as covered by a delete.
    package var covered: Set<LogID> = []
    package private(set) var takes = 0

    package init() {}

    /// A copy of the store at this moment; the two then change independently.
    package init(copying other: LightStore) {
        logs = other.logs
        order = other.order
        number = other.number
        runs = other.runs
        cursors = other.cursors
        wants = other.wants
        wantedBodies = other.wantedBodies
        setAside = other.setAside
        own = other.own
        accounts = other.accounts
        transaction = other.transaction
        failingTakes = other.failingTakes
        failingPrefixes = other.failingPrefixes
        damaged = other.damaged
        covered = other.covered
        takes = other.takes
    }

    package var entryCount: Int { order.reduce(0) { $0 + (logs[$1]?.entries.count(where: { $0 != nil }) ?? 0) } }
    /// The gap of each log that has one, in ascending order of log id.
    package var gaps: [GapPlace] {
        order.sorted().compactMap { log in logs[log]?.gap.map { GapPlace(log: log, bounds: $0.bounds) } }
    }
    package var missingBodies: Int { wantedBodies.count }
    package var wantedLogs: [LogSize] { wants.map { LogSize(log: $0.key, size: $0.value) }.sorted { $0.log < $1.log } }
    /// The store id of the present run.
    package var run: StoreID? { runs.first?.store }
    package var lastNumber: UInt64 { number }
    package func size(_ log: LogID) -> UInt64 { logs[log]?.size ?? 0 }
    package func stored(_ log: LogID) -> UInt64 { UInt64(logs[log]?.entries.count ?? 0) }
    package func isSetAside(_ log: LogID) -> Bool { setAside.contains(log) }
    package func cursor(of peer: NodeID) -> Cursor? { cursors[peer] }
    package func payload(_ place: BodyPlace) -> [UInt8]? { logs[place.log]?.entry(place.sequence)?.payload }

    /// Every payload that counts, by log id and sequence: equal at two converged nodes.
    package var contents: [[UInt8]?] {
        order.sorted().flatMap { log in
            (logs[log]?.entries.prefix(Int(size(log))) ?? []).map { $0?.payload }
        }
    }

    // MARK: WorldStore

    package func begin(_ run: StoreID) throws -> StoreState {
        if let last = runs.first { runs[0] = StoreIDRange(store: last.store, first: last.first, last: number) }
        runs.insert(StoreIDRange(store: run, first: number, last: number), at: 0)
        return present
    }

    /// The state that a node would start from now; the change numbers of the present run end at the last one given.
    package var present: StoreState {
        if let last = runs.first { runs[0] = StoreIDRange(store: last.store, first: last.first, last: number) }
        return StoreState(
            store: runs[0].store,
            number: number,
            frontier: (order.compactMap { logs[$0]?.row } + accounts.endRows).sorted { $0.number < $1.number },
            pending: order.compactMap { log in
                logs[log]?.isCarried == true && stored(log) > size(log) ? LogSize(log: log, size: stored(log)) : nil
            },
            ranges: runs,
            cursors: cursors.map { TakeBatch.PeerCursor(peer: $0.key, cursor: $0.value) }.sorted { $0.peer < $1.peer },
            wants: wantedLogs,
            wantedBodies: wantedBodies,
            setAside: setAside,
            own: own.map(begun),
            standings: order.sorted().compactMap { logs[$0]?.logStanding } + accounts.allStandings,
            gaps: gaps
        )
    }

    package func take(_ batch: TakeBatch) throws -> TakeReport {
        if failingTakes > 0 {
            failingTakes -= 1
            throw LightStoreError.full
        }
        if let damaged, batch.logs.contains(damaged) { throw LightStoreError.damaged }
        takes += 1
        let lastNumber = number
        transaction = LightTransaction()
        takeLogs(batch)
        let skipped = transaction.unfitting.filter {
            $0.end > stored($0.log) && !transaction.forgotten.contains($0.log)
        }
        for peer in batch.forgottenCursors { cursors[peer] = nil }
        if skipped.isEmpty { for cursor in batch.cursors { cursors[cursor.peer] = cursor.cursor } }
        takeWants(batch)
        setAside.append(contentsOf: batch.setAside)
        takeSigning(batch)
        let (found, unwanted) = scanBodies()
        let refused = restore(batch.bodies)
        let (touched, ended) = (transaction.touched, transaction.ended)
        let changes = touched.compactMap(changedRow)
        let endRows = ended.compactMap(accounts.endRow).filter { $0.number > lastNumber }
        return TakeReport(
            changes: (changes + endRows).sorted { $0.number < $1.number },
            stored: touched.map { LogSize(log: $0, size: stored($0)) },
            wantedBodies: found,
            refusedBodies: refused,
            forgotten: transaction.forgotten,
            standings: touched.sorted().compactMap { logs[$0]?.logStanding } + accounts.standings(of: ended),
            skipped: Array(Set(skipped.map(\.log))).sorted(),
            covered: covered.sorted(),
            unwantedBodies: unwanted,
            gaps: gaps.filter { touched.contains($0.log) },
            emptied: touched.filter { logs[$0].map { $0.isCarried && $0.item == nil } ?? false }.sorted(),
            // It folds nothing.
            recounted: []
        )
    }

    package func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try append(author.write(text, at: time))
    }

    /// Appends a chunk of the own author, of any number of entries.
    package func append(_ chunk: VerifiedChunk) throws -> OwnAppend {
        if let log = logs[chunk.log], log.isJudged { throw LightStoreError.doesNotFit }
        transaction = LightTransaction()
        add(chunk, from: nil)
        _ = scanBodies()
        guard let row = changedRow(chunk.log) else { throw LightStoreError.doesNotFit }
        own = OwnLogState(
            log: chunk.log,
            size: row.size,
            published: own?.published ?? 0,
            signing: own?.signing ?? .allowed
        )
        // It folds no delete, so what was wanted is wanted still.
        return OwnAppend(chunk: chunk, row: row, forgotten: transaction.forgotten, unwantedBodies: [])
    }

    private func changedRow(_ log: LogID) -> FrontierRow? {
        guard let known = logs[log], let item = known.item, item != known.row?.item else { return nil }
        number += 1
        logs[log]?.number(number)
        return logs[log]?.row
    }

    // MARK: What is carried

    /// The account of an identity ends, or its end has another settlement: none of its logs is carried.
    func end(_ arrival: SettlementArrival) {
        let identity = arrival.signed.settlement.identity
        if accounts.hasEnded(identity) {
            guard accounts.overrule(with: arrival.signed) else { return }
        } else {
            for log in order where logs[log]?.certificate.certificate.identity == identity {
                forget(log)
                logs[log]?.wipe()
            }
            number += 1
            accounts.end(arrival, number: number)
        }
        transaction.end(identity)
    }

    /// Whether the log is carried or there is room for it; creates it if it is unknown and a certificate came with it.
    func place(_ id: LogID, _ certificate: SignedCertificate?) -> Bool {
        if logs[id] == nil {
            guard let certificate, certificate.log == id else { return false }
            logs[id] = LightLog(certificate: certificate)
            order.append(id)
        }
        guard let log = logs[id] else { return false }
        if log.item != nil { return true }
        if accounts.admits(log) { return true }
        forget(id)
        return false
    }

    /// Ranks a log that has an item among the carried logs of its identity, and forgets those that it pushes out.
    func rank(_ id: LogID) {
        guard let log = logs[id], log.item != nil else { return }
        for last in accounts.rank(log) { forget(last) }
    }

    /// Carries the own log again, if there is room for it now.
    func readmitOwnLog(of identity: IdentityID) {
        guard let id = own?.log, let log = logs[id], !log.isCarried, log.certificate.certificate.identity == identity,
            accounts.admits(log)
        else { return }
        logs[id]?.readmit()
        rank(id)
        transaction.touch(id)
    }

    /// Drops a log that is not carried; the own one is kept, and does not count.
    private func forget(_ log: LogID) {
        transaction.forget(log)
        wants[log] = nil
        wantedBodies.removeAll { $0.log == log }
        if log == own?.log {
            logs[log]?.discount()
        } else {
            logs[log] = nil
            order.removeAll { $0 == log }
        }
    }

    // MARK: Bodies

    /// Puts bodies back, and returns those that are not their entry's.
    private func restore(_ bodies: [TakeBatch.BodyArrival]) -> [TakeBatch.BodyArrival] {
        var refused: [TakeBatch.BodyArrival] = []
        for body in bodies {
            if logs[body.place.log]?.restore(body.place.sequence, body.payload) == true {
                wantedBodies.removeAll { $0 == body.place }
            } else {
                refused.append(body)
            }
        }
        return refused
    }

    /// Bodies that became wanted since the last call, and those that are wanted no more because their entries do not
    /// count.
    private func scanBodies() -> (wanted: [BodyPlace], unwanted: [BodyPlace]) {
        var (wanted, unwanted) = ([BodyPlace](), [BodyPlace]())
        for log in transaction.touched {
            guard let (from, found) = logs[log]?.scanBodies() else { continue }
            if !wantedBodies.isEmpty {
                unwanted += wantedBodies.filter { $0.log == log && $0.sequence >= from && !found.contains($0) }
                wantedBodies.removeAll { $0.log == log && $0.sequence >= from }
            }
            wantedBodies += found
            wanted += found
        }
        return (wanted, unwanted)
    }
}
