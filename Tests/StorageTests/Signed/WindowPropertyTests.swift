import Entries
import GRDB
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Any windows, filled from anybody in any order, come to the same in the end (D15, D20).
struct WindowPropertyTests {
    private static let verifier = ChunkVerifier(network: Device.network)

    @Test func `Random windows and fillings from several peers end equal`() throws {
        let seed = SeededRandom.announcedSeed()
        for number in 0..<UInt64(24) {
            var random = SeededRandom(seed: seed &+ number)
            let history = try RandomHistory(&random, entries: 300 + random.below(900), people: [(1, 1), (2, 2)])
            var town = try WindowTown(history, &random)
            try town.mix(&random, steps: 60)
            try town.finish(&random)
            let oracle = try town.stores[0].whole()
            let (dump, nodes) = (try oracle.derivedDump(), try town.nodes(of: 0))
            for place in town.stores.indices {
                let store = try town.stores[place].whole()
                #expect(try store.state().gaps.isEmpty, "seed \(seed &+ number)")
                #expect(
                    try store.reader.fingerprint().fingerprint == oracle.reader.fingerprint().fingerprint,
                    "seed \(seed &+ number)"
                )
                #expect(try store.derivedDump() == dump, "seed \(seed &+ number), store \(place)")
                #expect(try town.nodes(of: place) == nodes, "seed \(seed &+ number), store \(place)")
                #expect(town.stores[place].differences.isEmpty, "\(town.stores[place].differences.prefix(2))")
            }
        }
    }

    /// Stores that ask each other; the first has everything, and grows.
    private struct WindowTown {
        let devices: [Device]
        let stores: [TwinStore]
        /// Who gives no history away.
        let withholder: Int
        private var written: [LogID: Int] = [:]

        init(_ history: RandomHistory, _ random: inout SeededRandom) throws {
            devices = history.devices
            stores = (0..<4).map { _ in TwinStore() }
            withholder = 1 + random.below(3)
            for store in stores { _ = try store.begin(.test) }
        }

        mutating func mix(_ random: inout SeededRandom, steps: Int) throws {
            for _ in 0..<steps {
                if random.chance(3) { try grow(random.pick(devices), by: 1 + random.below(300)) }
                let (from, to) = (random.below(4), 1 + random.below(3))
                guard from != to else { continue }
                try fetch(random.pick(devices).log, from: from, to: to, &random)
                if random.chance(6) { try replace(random.pick(devices).log, from: from, to: to, &random) }
                if random.chance(15) {
                    let store = try stores[to].whole()
                    let dump = try store.derivedDump()
                    _ = try store.rebuild()
                    #expect(try store.derivedDump() == dump)
                }
            }
        }

        mutating func finish(_ random: inout SeededRandom) throws {
            for device in devices { try grow(device, by: device.size) }
            for _ in 0..<400 {
                var isWhole = true
                for to in 1..<4 {
                    for device in devices {
                        let prefix = try stores[to].prefixes(of: [device.log])[device.log] ?? .none
                        guard prefix.range.bounds.upperBound < UInt64(device.size) || prefix.gap != nil else {
                            continue
                        }
                        isWhole = false
                        try fetch(device.log, from: random.below(4), to: to, &random)
                    }
                }
                if isWhole { return }
            }
            Issue.record("the stores do not come together")
        }

        private mutating func grow(_ device: Device, by count: Int) throws {
            let start = written[device.log, default: 0]
            let end = min(device.size, start + count)
            guard end > start else { return }
            var batch = TakeBatch()
            batch.chunks = [.init(chunk: try device.chunk(start..<end), source: .peer)]
            _ = try stores[0].take(batch)
            written[device.log] = end
        }

        private func fetch(_ log: LogID, from: Int, to: Int, _ random: inout SeededRandom) throws {
            guard from != to else { return }
            var prefix = try stores[to].prefixes(of: [log])[log] ?? .none
            var want: RangeWant
            if let gap = prefix.gap, random.chance(2) || prefix.range.bounds.upperBound == written[log].map(UInt64.init)
            {
                guard from != withholder else { return }
                want = RangeWant(log: log, from: gap.start, certificate: .known, extent: .until(gap.end))
            } else {
                let mayLeaveOut = prefix.gap == nil && random.chance(2)
                want = RangeWant(
                    log: log,
                    from: prefix.range.bounds.upperBound,
                    certificate: .send,
                    extent: mayLeaveOut ? .newest(UInt64(1 + random.below(200))) : .all
                )
            }
            // An answer is several chunks, and may be broken off.
            for _ in 0...random.below(4) {
                let limit = 2_500 + random.below(20_000)
                guard case .chunk(var chunk)? = try stores[from].ranges([want], byteLimit: limit).first else { return }
                if !chunk.left.isEmpty { chunk.askedFrom = want.from }
                let verified = try #require(WindowPropertyTests.verifier.verify(chunk, over: prefix).verified)
                var batch = TakeBatch()
                batch.chunks = [.init(chunk: verified, source: .peer)]
                let report = try stores[to].take(batch)
                #expect(report.skipped.isEmpty)
                prefix = try stores[to].prefixes(of: [log])[log] ?? .none
                #expect(prefix == verified.prefix)
                let end = chunk.start + chunk.count
                guard end < chunk.size else { return }
                want = want.goingOn(from: end)
            }
        }

        /// What lies behind a gap gives way to what somebody shows, if that fits.
        private func replace(_ log: LogID, from: Int, to: Int, _ random: inout SeededRandom) throws {
            guard let before = try stores[to].prefixes(of: [log])[log]?.beforeGap else { return }
            let want = RangeWant(
                log: log,
                from: before.range.bounds.upperBound,
                certificate: .send,
                extent: random.chance(2) ? .all : .newest(UInt64(1 + random.below(200)))
            )
            let answer = try stores[from].ranges([want], byteLimit: 2_500 + random.below(60_000))
            guard case .chunk(var chunk)? = answer.first else { return }
            if !chunk.left.isEmpty { chunk.askedFrom = want.from }
            let verified = try #require(WindowPropertyTests.verifier.verify(chunk, over: before).verified)
            var batch = TakeBatch()
            batch.chunks = [.init(chunk: verified, source: .peer, position: .inPlace)]
            _ = try stores[to].take(batch)
            let after = try stores[to].prefixes(of: [log])[log] ?? .none
            let isTaken = before.range == verified.base && after == verified.prefix
            #expect(isTaken || after.gap?.before == before.range, "all or nothing")
        }

        func nodes(of place: Int) throws -> [String] {
            let sql = """
                SELECT hex(logs.log) || ' ' || level || ' ' || place || ' ' || hex(hash)
                FROM nodes JOIN logs ON logs.number = nodes.log ORDER BY logs.log, level, place
                """
            return try stores[place].whole().writer.read { db in try Prepared(db, sql).all { $0.string(0) } }
        }
    }
}
