package import Entries
package import Sodium

/// A store in memory without any of the feed: for simulations of thousands of nodes.
package final class LightStore: WorldStore {
    private var logs: [LogID: LightLog] = [:]
    private var order: [LogID] = []
    private var number: UInt64 = 0
    private var runs: [StoreIDRange] = []
    private var cursors: [NodeID: Cursor] = [:]
    private var wants: [LogID: UInt64] = [:]
    private var wantedBodies: [BodyPlace] = []
    private var setAside: [LogID] = []
    private var own: OwnLogState?
    private var carriages: [IdentityID: Carriage] = [:]
    private var forgotten: [LogID] = []
    /// Transactions that fail from now on.
    package var failingTakes = 0
    /// Questions for prefixes that fail from now on.
    package var failingPrefixes = 0
    /// A log of which something is unreadable: no transaction and no question that names it succeeds.
    package var damaged: LogID?
    /// Logs of whose entries a delete covers those that come from now on.
    package var covered: Set<LogID> = []
    package private(set) var takes = 0

    package init() {}

    package var entryCount: Int { order.reduce(0) { $0 + (logs[$1]?.entries.count ?? 0) } }
    package var missingBodies: Int { wantedBodies.count }
    package var wantedLogs: [LogSize] { wants.map { LogSize(log: $0.key, size: $0.value) }.sorted { $0.log < $1.log } }
    /// The present run.
    package var run: StoreID? { runs.first?.store }
    package var lastNumber: UInt64 { number }
    package func size(_ log: LogID) -> UInt64 { logs[log]?.size ?? 0 }
    package func stored(_ log: LogID) -> UInt64 { UInt64(logs[log]?.entries.count ?? 0) }
    package func isSetAside(_ log: LogID) -> Bool { setAside.contains(log) }
    package func cursor(of peer: NodeID) -> Cursor? { cursors[peer] }
    package var published: UInt64 { own?.published ?? 0 }
    package var signing: OwnLogState.Signing { own?.signing ?? .allowed }
    package func payload(_ place: BodyPlace) -> [UInt8]? { logs[place.log]?.entry(place.sequence)?.payload }

    /// Every payload, in the order of logs and entries: what two converged nodes agree on.
    package var contents: [[UInt8]?] {
        order.sorted().flatMap { log in
            (logs[log]?.entries.prefix(Int(size(log))) ?? []).map(\.payload)
        }
    }

    // MARK: Faults

    /// Drops a body, as a relay does that holds it back.
    package func withhold(_ place: BodyPlace) {
        logs[place.log]?.withhold(place.sequence)
    }

    // MARK: WorldStore

    package func begin(_ run: StoreID) throws -> StoreState {
        if let last = runs.first { runs[0] = StoreIDRange(store: last.store, first: last.first, last: number) }
        runs.insert(StoreIDRange(store: run, first: number, last: number), at: 0)
        return StoreState(
            store: run,
            number: number,
            frontier: order.compactMap { logs[$0]?.row },
            pending: order.compactMap { log in
                logs[log]?.isCarried == true && stored(log) > size(log) ? LogSize(log: log, size: stored(log)) : nil
            },
            ranges: runs,
            cursors: cursors.map { TakeBatch.PeerCursor(peer: $0.key, cursor: $0.value) }.sorted { $0.peer < $1.peer },
            wants: wantedLogs,
            wantedBodies: wantedBodies,
            setAside: setAside,
            own: own
        )
    }

    package func take(_ batch: TakeBatch) throws -> TakeReport {
        if failingTakes > 0 {
            failingTakes -= 1
            throw LightStoreError.full
        }
        if let damaged, batch.logs.contains(damaged) { throw LightStoreError.damaged }
        takes += 1
        forgotten = []
        var touched: [LogID] = []
        for log in batch.restarts where logs[log] != nil {
            logs[log]?.restart()
            touched.append(log)
        }
        for item in batch.chunks {
            add(item.chunk, from: item.source, &touched)
        }
        let skipped = batch.chunks.map(\.chunk).filter { $0.end > stored($0.log) && !forgotten.contains($0.log) }
        if skipped.isEmpty { for cursor in batch.cursors { cursors[cursor.peer] = cursor.cursor } }
        for log in batch.forgottenWants { wants[log] = nil }
        for want in batch.wants where stored(want.log) < want.size && !forgotten.contains(want.log) {
            wants[want.log] = want.size
        }
        setAside.append(contentsOf: batch.setAside)
        takeSigning(batch)
        let found = touched.flatMap { logs[$0]?.takeWanted() ?? [] }
        wantedBodies.append(contentsOf: found)
        var refused: [TakeBatch.BodyArrival] = []
        for body in batch.bodies {
            if logs[body.place.log]?.restore(body.place.sequence, body.payload) == true {
                wantedBodies.removeAll { $0 == body.place }
            } else {
                refused.append(body)
            }
        }
        return TakeReport(
            changes: touched.compactMap(changedRow),
            stored: touched.map { LogSize(log: $0, size: stored($0)) },
            wantedBodies: found.filter { logs[$0.log] != nil },
            refusedBodies: refused,
            forgotten: forgotten,
            skipped: Array(Set(skipped.map(\.log))).sorted(),
            covered: covered.sorted()
        )
    }

    package func prefixes(of wanted: [LogID]) throws -> [LogID: LogPrefix] {
        if failingPrefixes > 0 {
            failingPrefixes -= 1
            throw LightStoreError.full
        }
        if let damaged, wanted.contains(damaged) { throw LightStoreError.damaged }
        var prefixes: [LogID: LogPrefix] = [:]
        for log in wanted {
            if let known = logs[log] { prefixes[log] = LogPrefix(certificate: known.certificate, range: known.tip) }
        }
        return prefixes
    }

    package func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        var answers: [RangeAnswer] = []
        var rest = byteLimit
        for want in wants {
            guard rest > 0 || answers.isEmpty else { break }
            guard let chunk = logs[want.log]?.chunk(want, byteLimit: rest) else {
                answers.append(.lacking(want.log))
                continue
            }
            rest -= chunk.entries.count
            answers.append(.chunk(chunk))
        }
        return answers
    }

    package func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        guard let known = logs[log], end <= UInt64(known.entries.count) else { return nil }
        return known.nodes(covering: 0..<end)
    }

    package func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? { logs[log]?.prefixProof(end: end) }

    package func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? { logs[log]?.descendants(of: place) }

    package func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        var rest = byteLimit
        var answers: [BodyAnswer] = []
        for place in places {
            guard rest > 0 || answers.isEmpty else { break }
            let payload = payload(place)
            rest -= payload?.count ?? 0
            answers.append(BodyAnswer(place: place, payload: payload))
        }
        return answers
    }

    package func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try append(author.write(text, at: time))
    }

    /// Puts entries of the own author in, many at once if they are.
    package func append(_ chunk: VerifiedChunk) throws -> OwnAppend {
        var touched: [LogID] = []
        forgotten = []
        add(chunk, from: nil, &touched)
        own = OwnLogState(
            log: chunk.log,
            size: chunk.end,
            published: own?.published ?? 0,
            signing: own?.signing ?? .allowed
        )
        guard let row = changedRow(chunk.log) else { throw LightStoreError.doesNotFit }
        return OwnAppend(chunk: chunk, row: row, forgotten: forgotten)
    }

    /// Names the log that this home writes, before anything is written.
    package func register(_ author: Author) {
        own = OwnLogState(log: author.log, size: own?.size ?? 0, published: own?.published ?? 0)
    }

    // MARK: Private

    private func takeSigning(_ batch: TakeBatch) {
        guard let own else { return }
        var published = max(own.published, batch.published ?? 0)
        if let stop = batch.stop { published = min(published, stop.published) }
        if batch.chunks.contains(where: { $0.chunk.log == own.log && $0.chunk.end > own.size }) {
            published = max(published, size(own.log))
        }
        self.own = OwnLogState(
            log: own.log,
            size: max(own.size, size(own.log)),
            published: published,
            signing: batch.stop == nil ? own.signing : .stopped
        )
    }

    private func add(_ chunk: VerifiedChunk, from source: NodeID?, _ touched: inout [LogID]) {
        if logs[chunk.log] == nil {
            logs[chunk.log] = LightLog(certificate: chunk.certificate)
            order.append(chunk.log)
        }
        guard let log = logs[chunk.log] else { return }
        if log.size == 0 {
            let identity = log.certificate.certificate.identity
            guard carriages[identity, default: Carriage()].admits(log.candidate) else { return forget(chunk.log) }
            if chunk.reachesHead, chunk.start == stored(chunk.log) {
                for last in carriages[identity, default: Carriage()].insert(log.candidate) { forget(last) }
            }
        }
        guard logs[chunk.log]?.add(chunk, from: source) == true else { return }
        if !touched.contains(chunk.log) { touched.append(chunk.log) }
        if let want = wants[chunk.log], stored(chunk.log) >= want { wants[chunk.log] = nil }
    }

    /// Drops a log that has 16 others of its identity before it; the own one is kept, and does not count.
    private func forget(_ log: LogID) {
        if !forgotten.contains(log) { forgotten.append(log) }
        wants[log] = nil
        wantedBodies.removeAll { $0.log == log }
        if log == own?.log {
            logs[log]?.discount()
        } else {
            logs[log] = nil
            order.removeAll { $0 == log }
        }
    }

    private func changedRow(_ log: LogID) -> FrontierRow? {
        guard logs[log]?.hasNewHead == true else { return nil }
        number += 1
        logs[log]?.settle(number)
        return logs[log]?.row
    }
}

package enum LightStoreError: Error, Hashable, Sendable {
    case full
    case damaged
    case doesNotFit
}
