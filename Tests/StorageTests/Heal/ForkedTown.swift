import Entries
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Random logs, forked early, late and below a fork, settled and ended, of which stores hold random parts.
struct ForkedTown {
    let logs: [ForkedLog]
    private let words: [TakeBatch]
    private let byteLimit: Int

    init(of devices: [Device], _ random: inout SeededRandom) throws {
        var ids: [EntryID] = []
        byteLimit = 60 + random.below(400)
        var logs: [ForkedLog] = []
        for device in devices where logs.isEmpty || random.chance(2) {
            logs.append(try ForkedLog(device, branches: 1 + random.below(4), &random, &ids))
        }
        var words: [TakeBatch] = []
        for log in logs where random.chance(2) {
            for _ in 0...random.below(2) { words.append(.init(try Self.settlement(of: log, &random))) }
        }
        for log in logs where random.chance(3) {
            let evidence = log.evidence(random.below(log.branches.count), random.below(log.branches.count))
            guard let evidence else { continue }
            words.append(.init(.init(evidence: evidence, certificate: log.device.certificate, source: .peer)))
        }
        if random.chance(12) {
            let end = try Device.settlement(1, nil, .nothing, serial: 5)
            words.append(.init(.init(signed: end, certificate: nil, source: .peer)))
        }
        self.logs = logs
        self.words = words
    }

    /// One log, and words that come only while the stores exchange.
    init(_ log: ForkedLog) {
        logs = [log]
        words = []
        byteLimit = 200
    }

    /// Two devices of one person and one of another; made once, they write in many towns.
    static func devices() throws -> [Device] {
        try [(1, 1), (1, 2), (2, 1)].map { try Device(person: $0.0, device: $0.1) }
    }

    private static func settlement(of log: ForkedLog, _ random: inout SeededRandom) throws -> SettlementArrival {
        let branch = random.below(log.branches.count)
        let size = random.below(log.branches[branch].count + 1)
        var known = log.known(branch, size)
        // Sometimes a history that nobody has, or more of one than there is.
        if size > 0, random.chance(6) { known = KnownRoot(size: known.size, root: random.bytes32()) }
        if size > 0, random.chance(8) { known = KnownRoot(size: 1 << 20, root: known.root) }
        let signed = try Device.settlement(log.device.person, log.log, known, serial: UInt64(random.below(3)))
        return .init(signed: signed, certificate: log.device.certificate, source: .peer)
    }

    /// Gives a store a random part of a random branch of each log, and some of what root keys and forks say, in any
    /// order.
    func scatter(over store: any WorldStore, _ random: inout SeededRandom) throws {
        var runs = try logs.filter { _ in !random.chance(5) }.map { try run(of: $0, &random) }.filter { !$0.isEmpty }
        runs += words.filter { _ in random.chance(3) }.map { [$0] }
        while !runs.isEmpty {
            let next = random.below(runs.count)
            _ = try store.take(runs[next].removeFirst())
            if runs[next].isEmpty { runs.remove(at: next) }
        }
    }

    /// A branch as a peer would push it, in order, up to some place; the last head may reach beyond it.
    private func run(of log: ForkedLog, _ random: inout SeededRandom) throws -> [TakeBatch] {
        let branch = random.below(log.branches.count)
        let count = log.branches[branch].count
        var batches: [TakeBatch] = []
        var start = 0
        while start < count, !random.chance(4) {
            let end = min(count, start + 1 + random.below(5))
            let size = random.chance(2) ? end : end + random.below(count - end + 1)
            let withheld = Set((start..<end).filter { _ in random.chance(5) })
            batches.append(TakeBatch(try log.chunk(branch, start..<end, size: size, withheld: withheld)))
            start = end
        }
        return batches
    }

    /// Lets all stores exchange until nobody learns anything; some words come only meanwhile, to one of them.
    func converge(_ stores: [any WorldStore], _ random: inout SeededRandom) throws {
        var late = words.filter { _ in random.chance(4) }
        let pairs = stores.indices.flatMap { from in
            stores.indices.filter { $0 != from }.map { (from: from, to: $0) }
        }
        for _ in 0..<30 {
            var hasChanged = !late.isEmpty
            for pair in pairs.shuffled(using: &random) {
                var exchange = try Exchange(from: stores[pair.from], to: stores[pair.to], byteLimit: byteLimit)
                if try exchange.run(&random) { hasChanged = true }
                if !late.isEmpty, random.chance(3) { _ = try random.pick(stores).take(late.removeLast()) }
            }
            guard hasChanged else {
                for store in stores { try bringBodies(to: store) }
                return
            }
        }
        throw Exchange.Complaint("there is no quiet")
    }

    func items(of store: any WorldStore) throws -> [FrontierItem] {
        try store.begin(.test).frontier.map(\.item).sorted { $0.log < $1.log }
    }

    /// Whoever has a body gives it; which branch an entry is of, its hash tells.
    private func bringBodies(to store: any WorldStore) throws {
        for place in try store.begin(.test).wantedBodies {
            let log = try #require(logs.first { $0.log == place.log })
            for branch in log.branches where Int(place.sequence) < branch.count {
                var batch = TakeBatch()
                let payload = branch[Int(place.sequence)].payload ?? []
                batch.bodies = [.init(place: place, payload: payload, source: .peer)]
                _ = try store.take(batch)
            }
        }
    }

    /// What the oracle makes of what counts by the items.
    func oracle(_ items: [FrontierItem]) throws -> FoldState {
        var state = FoldState()
        for item in items where item.size > 0 {
            let log = try #require(logs.first { $0.log == item.log })
            let branch = try #require(
                log.branches.indices.first {
                    item.size <= UInt64(log.branches[$0].count)
                        && log.known($0, Int(item.size)).root == item.root
                }
            )
            for entry in log.branches[branch].prefix(Int(item.size)) { state.insert(entry, by: log.device.identity) }
        }
        return state
    }
}

extension TakeBatch {
    init(_ chunk: VerifiedChunk) {
        self.init()
        chunks = [.init(chunk: chunk, source: .peer)]
    }

    init(_ settlement: SettlementArrival) {
        self.init()
        settlements = [settlement]
    }

    init(_ evidence: EvidenceArrival) {
        self.init()
        self.evidence = [evidence]
    }
}

extension KnownRoot {
    static let nothing = KnownRoot(size: 0, root: .zero)
}
