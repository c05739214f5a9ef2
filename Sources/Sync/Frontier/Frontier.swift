import Entries
import Sodium

/// The frontier in memory: the size held, root and change number of each log (`protocol/sync.md` §1).
///
/// Flat arrays indexed by a 32-bit log number: about 110 bytes for each log, and 50 in the tree of fingerprints.
struct Frontier {
    private var ids: [LogID] = []
    private var roots: [Bytes32] = []
    private var sizes: [UInt32] = []
    /// Time of the last entry held, in seconds since 1970; only orders logs.
    private var seconds: [UInt32] = []
    /// The first eight bytes of the identity, for quotas, scopes and the order of lists.
    private var owners: [UInt64] = []
    /// Number of the log's last change; 0: the log has no item any more, and keeps its index.
    private var numbers: [UInt64] = []
    /// The peer that the last change came from; 0: none, or a peer beyond the first 65,535.
    private var sources: [UInt16] = []

    private var index: LogIndex
    private var ownerIndex = OwnerIndex()
    private var changes = ChangeLog()
    private var peers: [NodeID: UInt16] = [:]
    /// The items of logs with a cut or a settlement, which are few.
    private var judged: [UInt32: FrontierItem] = [:]
    /// Log numbers in the order of log ids; logs from `sorted.count` on are not merged in yet.
    private(set) var sorted: [UInt32] = []
    /// All items in the order of reconciliation, about 50 bytes each.
    private(set) var tree = FingerprintTree()
    /// The items within each scope in use.
    private var parts = FrontierParts()
    /// The number of the last change.
    private(set) var number: UInt64

    /// `secret` is drawn for this process: it makes the slots of the hash index unpredictable from outside.
    init(_ rows: [FrontierRow], number: UInt64, secret: UInt64 = 0) {
        self.number = number
        let count = rows.count
        index = LogIndex(secret: secret)
        index.reserve(count, ids: [])
        ids.reserveCapacity(count)
        roots.reserveCapacity(count)
        sizes.reserveCapacity(count)
        seconds.reserveCapacity(count)
        owners.reserveCapacity(count)
        numbers.reserveCapacity(count)
        sources.reserveCapacity(count)
        changes.reserve(count)
        for row in rows.sorted(by: { $0.number < $1.number }) { enter(row, at: index.number(of: row.log, in: ids)) }
        changes.isWhole(after: number)
        tree = FingerprintTree((0..<UInt32(ids.count)).lazy.filter(hasItem).map(timed))
    }

    var count: Int { tree.count }
    var sum: FingerprintSum { tree.sum }
    var fingerprint: Fingerprint { sum.fingerprint }

    /// Applies a log's new row.
    mutating func apply(_ row: FrontierRow) {
        let known = index.number(of: row.log, in: ids)
        if let known, hasItem(known) { removeItem(known) }
        let log = enter(row, at: known)
        let item = timed(log)
        tree.insert(item)
        if !parts.isEmpty { parts.insert(item, of: owners[Int(log)], number: row.number) }
    }

    /// Writes a row into the arrays; the caller updates the tree.
    @discardableResult
    private mutating func enter(_ row: FrontierRow, at known: UInt32?) -> UInt32 {
        let log: UInt32
        if let known {
            log = known
        } else {
            log = UInt32(ids.count)
            ids.append(row.log)
            roots.append(.zero)
            sizes.append(0)
            seconds.append(0)
            owners.append(row.identity.raw.prefix64)
            numbers.append(0)
            sources.append(0)
            index.insertLast(of: ids)
        }
        let place = Int(log)
        let sizeBefore = sizes[place]
        roots[place] = row.item.root
        sizes[place] = UInt32(clamping: row.size)
        seconds[place] = UInt32(clamping: row.time / 1_000)
        numbers[place] = row.number
        sources[place] = source(row.source)
        if row.item.cut != nil || row.item.settled != nil {
            judged[log] = row.item
        } else if !judged.isEmpty {
            judged[log] = nil
        }
        changes.insert(row.number, log, sizeBefore: sizeBefore)
        number = max(number, row.number)
        if changes.count > 2 * ids.count + 1_024 {
            changes.compact { numbers[Int($1)] == $0 }
        }
        return log
    }

    /// Removes a log's item: the log is not carried any more, and may come back.
    ///
    /// Its index stays, since others refer to the log by it.
    mutating func remove(_ id: LogID) {
        guard let log = log(id) else { return }
        removeItem(log)
        let place = Int(log)
        roots[place] = .zero
        sizes[place] = 0
        numbers[place] = 0
        judged[log] = nil
    }

    /// The index of a log; nil if it has no item.
    func log(_ id: LogID) -> UInt32? { index.number(of: id, in: ids).flatMap { hasItem($0) ? $0 : nil } }
    func id(_ log: UInt32) -> LogID { ids[Int(log)] }
    func size(_ log: UInt32) -> UInt64 { UInt64(sizes[Int(log)]) }
    func owner(_ log: UInt32) -> UInt64 { owners[Int(log)] }
    /// Time of the last entry held, in seconds since 1970.
    func seconds(_ log: UInt32) -> UInt32 { seconds[Int(log)] }
    func number(_ log: UInt32) -> UInt64 { numbers[Int(log)] }
    func root(_ log: UInt32) -> Bytes32 { roots[Int(log)] }
    func size(of id: LogID) -> UInt64 { log(id).map { size($0) } ?? 0 }
    func item(_ log: UInt32) -> LogSize { LogSize(log: id(log), size: size(log)) }
    /// What is held of a log whose number was noted earlier; nil if it has no item any more.
    func held(_ log: UInt32) -> HeldLog? {
        hasItem(log) ? HeldLog(item: item(log), root: root(log)) : nil
    }
    func itemHash(_ log: UInt32) -> Bytes32 {
        if !judged.isEmpty, let item = judged[log] { return item.id }
        return FrontierItem(log: ids[Int(log)], size: size(log), root: roots[Int(log)]).id
    }

    private func timed(_ log: UInt32) -> TimedItem {
        TimedItem(seconds: seconds[Int(log)], log: log, id: itemHash(log))
    }

    /// The number by which `isFrom` knows a peer; nil if it brought nothing.
    func peerNumber(_ node: NodeID) -> UInt16? { peers[node] }
    /// Whether the log's last change came from this peer.
    func isFrom(_ peer: UInt16?, _ log: UInt32) -> Bool { peer != nil && sources[Int(log)] == peer }

    // MARK: Scopes

    /// Opens the part of the frontier within a scope, until `close`; nil: all of it.
    mutating func open(_ scope: Scope) -> PartID? {
        guard case .identities(let identities) = scope else { return nil }
        let owners = Set(identities.map(\.raw.prefix64))
        if let known = parts.join(owners) { return known }
        let held = ownerIndex.logs(of: owners, in: self.owners).filter(hasItem)
        return parts.open(owners, FingerprintTree(held.map(timed)), number: number)
    }

    mutating func close(_ part: PartID?) {
        if let part { parts.close(part) }
    }

    func holds(_ log: UInt32, in part: PartID?) -> Bool {
        guard let part else { return true }
        return parts.holds(owners[Int(log)], part)
    }

    func tree(of part: PartID?) -> FingerprintTree { part.map { parts.tree($0) } ?? tree }

    func sum(of part: PartID?) -> FingerprintSum { part.map { parts.sum($0) } ?? tree.sum }

    /// The number of the last change within a part.
    func number(of part: PartID?) -> UInt64 { part.map { parts.number($0) } ?? number }

    // MARK: Lists

    /// The logs of a part that changed after `number`, in the order of their changes, and the number up to which the
    /// list is complete.
    func changed(after number: UInt64, in part: PartID? = nil, limit: Int) -> (logs: [UInt32], through: UInt64) {
        if let part, changes.count - changes.firstPlace(after: number) > tree(of: part).count {
            return changed(after: number, of: logs(in: part), limit: limit)
        }
        let changed = changed(after: number, limit: limit)
        return (part == nil ? changed.logs : changed.logs.filter { holds($0, in: part) }, changed.through)
    }

    /// Logs of a small part that changed after `number`, where going through all changes would take longer.
    private func changed(after number: UInt64, of logs: [UInt32], limit: Int) -> (logs: [UInt32], through: UInt64) {
        let changed = logs.filter { self.number($0) > number }.sorted { self.number($0) < self.number($1) }
        guard changed.count > limit, let last = changed.prefix(limit).last else { return (changed, self.number) }
        return (Array(changed.prefix(limit)), self.number(last))
    }

    private func changed(after number: UInt64, limit: Int) -> (logs: [UInt32], through: UInt64) {
        var logs: [UInt32] = []
        var place = changes.firstPlace(after: number)
        while place < changes.count, logs.count < limit {
            let log = changes.logs[place]
            if numbers[Int(log)] == changes.numbers[place] { logs.append(log) }
            place += 1
        }
        let through = place < changes.count ? logs.last.map { numbers[Int($0)] } : nil
        return (logs, through ?? self.number)
    }

    /// Logs that changed after `number`, each with its size then, 0 if it was not there; nil if that is not known, or
    /// there were more than `limit` changes.
    func grown(after number: UInt64, limit: Int) -> [(log: UInt32, from: UInt64)]? {
        let places = changes.firstPlace(after: number)..<changes.count
        guard number >= changes.wholeAfter, places.count <= limit else { return nil }
        var sizesThen: [UInt32: UInt32] = [:]
        for place in places where sizesThen[changes.logs[place]] == nil {
            sizesThen[changes.logs[place]] = changes.sizesBefore[place]
        }
        return places.compactMap { place in
            let log = changes.logs[place]
            guard numbers[Int(log)] == changes.numbers[place] else { return nil }
            return (log, sizesThen[log].map { UInt64($0) } ?? 0)
        }
    }

    /// Every log of a part, in rounds: the newest log of each identity by the time of its last entry, newest first,
    /// then the second newest of each, and so on. Future times count as `now` (Unix milliseconds).
    func newestFirst(now: UInt64, in part: PartID? = nil) -> [UInt32] {
        let present = UInt32(clamping: now / 1_000)
        let logs = logs(in: part).sorted { left, right in
            let first = min(seconds[Int(left)], present)
            let second = min(seconds[Int(right)], present)
            return first == second ? left < right : first > second
        }
        var seen: [UInt64: Int] = [:]
        var rounds: [[UInt32]] = [[]]
        for log in logs {
            let round = seen[owners[Int(log)], default: 0]
            seen[owners[Int(log)]] = round + 1
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(log)
        }
        return rounds.count == 1 ? logs : rounds.flatMap { $0 }
    }

    /// In no particular order.
    private func logs(in part: PartID?) -> [UInt32] {
        guard let part else { return (0..<UInt32(ids.count)).filter(hasItem) }
        let tree = parts.tree(part)
        var logs: [UInt32] = []
        logs.reserveCapacity(tree.count)
        tree.visit(0..<tree.count) { item in
            logs.append(item.log)
            return true
        }
        return logs
    }

    /// At most `limit` logs behind `after` in the order of log ids, and whether they are the last.
    mutating func page(after: LogID?, limit: Int) -> (logs: [UInt32], isLast: Bool) {
        sort()
        var place = after.map { firstSorted(beyond: $0) } ?? 0
        var logs: [UInt32] = []
        while place < sorted.count, logs.count < limit {
            if hasItem(sorted[place]) { logs.append(sorted[place]) }
            place += 1
        }
        return (logs, place == sorted.count)
    }

    /// The logs within (after, through], in the order of log ids.
    ///
    /// A peer asks, as often as it likes: merging in a new log or two each time would cost as much as a whole page.
    mutating func logs(within bounds: PageBounds) -> [UInt32] {
        if OwnerIndex.isMany(ids.count - sorted.count, of: ids.count) { sort() }
        let start = bounds.after.map { firstSorted(beyond: $0) } ?? 0
        let end = bounds.through.map { firstSorted(beyond: $0) } ?? sorted.count
        let fresh = (sorted.count..<ids.count).filter { log in
            bounds.after.map { ids[log] > $0 } ?? true && bounds.through.map { ids[log] <= $0 } ?? true
        }
        return merged(sorted[min(start, end)..<end], fresh.map { UInt32($0) }).filter(hasItem)
    }

    // MARK: Private

    private func hasItem(_ log: UInt32) -> Bool { numbers[Int(log)] != 0 }

    private mutating func removeItem(_ log: UInt32) {
        let item = timed(log)
        _ = tree.remove(item)
        if !parts.isEmpty { parts.remove(item, of: owners[Int(log)]) }
    }

    private mutating func source(_ node: NodeID?) -> UInt16 {
        guard let node else { return 0 }
        if let known = peers[node] { return known }
        guard let next = UInt16(exactly: peers.count + 1) else { return 0 }
        peers[node] = next
        return next
    }

    private func firstSorted(beyond id: LogID) -> Int { sorted.partitioningIndex { ids[Int($0)] > id } }

    /// Sorts the new logs and merges them in; those without an item stay in the list.
    private mutating func sort() {
        guard sorted.count < ids.count else { return }
        sorted = merged(sorted[...], Array(UInt32(sorted.count)..<UInt32(ids.count)))
    }

    /// `known`, which are sorted, and `fresh`, in the order of log ids.
    private func merged(_ known: ArraySlice<UInt32>, _ fresh: [UInt32]) -> [UInt32] {
        var merged: [UInt32] = []
        merged.reserveCapacity(known.count + fresh.count)
        var rest = known
        for log in fresh.sorted(by: { ids[Int($0)] < ids[Int($1)] }) {
            while let next = rest.first, ids[Int(next)] < ids[Int(log)] {
                merged.append(next)
                rest = rest.dropFirst()
            }
            merged.append(log)
        }
        merged.append(contentsOf: rest)
        return merged
    }
}
