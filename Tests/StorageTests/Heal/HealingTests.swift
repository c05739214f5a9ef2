import Entries
import Foundation
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

/// The property of D15: whatever was met in whatever order, equal frontiers, and equal folds.
///
/// `SCURRY_TEST_CASES` sets how many towns the light stores meet in; the full ones meet in a fiftieth of them.
@Suite struct HealingTests {
    private static let cases =
        ProcessInfo.processInfo.environment["SCURRY_TEST_CASES"].flatMap { Int($0) } ?? 10_000

    @Test func `Light stores that meet in any order agree`() throws {
        let base = SeededRandom.announcedSeed()
        let devices = try ForkedTown.devices()
        for number in 0..<Self.cases {
            var random = SeededRandom(seed: base &+ UInt64(number))
            let town = try ForkedTown(of: devices, &random)
            try agree(town, (0..<3).map { _ in LightStore() }, &random, base &+ UInt64(number))
        }
    }

    @Test func `Full stores that meet in any order agree and fold alike`() throws {
        let base = SeededRandom.announcedSeed()
        let devices = try ForkedTown.devices()
        for number in 0..<max(1, Self.cases / 50) {
            let seed = base &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            let town = try ForkedTown(of: devices, &random)
            let stores = (0..<2).map { _ in FullStore(.memory, network: Device.network) }
            let items = try agree(town, stores + [LightStore()], &random, seed)
            for store in stores { try town.expectFold(of: store.open(), items, "seed \(seed)") }
            let dump = try stores[0].open().derivedDump()
            for store in stores { #expect(try store.open().derivedDump() == dump, "seed \(seed)") }
        }
    }

    /// A light and a full store that are given the same in the same order say the same, at each step.
    @Test func `A light store is as a full one`() throws {
        let base = SeededRandom.announcedSeed()
        let devices = try ForkedTown.devices()
        for number in 0..<max(1, Self.cases / 100) {
            let seed = base &+ UInt64(number)
            var random = SeededRandom(seed: seed)
            let town = try ForkedTown(of: devices, &random)
            let twin = TwinStore()
            try town.scatter(over: twin, &random)
            let others = (0..<2).map { _ in LightStore() }
            for other in others { try town.scatter(over: other, &random) }
            try town.converge(others + [twin], &random)
            #expect(twin.differences.isEmpty, "seed \(seed)")
        }
    }

    @discardableResult
    private func agree(
        _ town: ForkedTown,
        _ stores: [any WorldStore],
        _ random: inout SeededRandom,
        _ seed: UInt64
    ) throws -> [FrontierItem] {
        for store in stores { try town.scatter(over: store, &random) }
        do {
            try town.converge(stores, &random)
        } catch let complaint as Exchange.Complaint {
            Issue.record("seed \(seed): \(complaint.what)")
        }
        let items = try town.items(of: stores[0])
        let words = try KnownWords(stores[0])
        for store in stores.dropFirst() {
            #expect(try town.items(of: store) == items, "seed \(seed)")
            #expect(try KnownWords(store) == words, "seed \(seed)")
        }
        return items
    }
}

/// What root keys and forks say, as far as it has to be known to all: of a complete log the evidence need not be.
private struct KnownWords: Equatable {
    private let settled: [LogID: KnownRoot]
    private let cuts: [LogID: UInt64]

    init(_ store: any WorldStore) throws {
        var (settled, cuts) = ([LogID: KnownRoot](), [LogID: UInt64]())
        for standing in try store.begin(.test).standings {
            let words = standing.words
            settled[standing.log] = words.settlement.flatMap { SignedSettlement(trusting: $0) }?.settlement.known
            if !standing.isComplete { cuts[standing.log] = words.evidence.flatMap { ForkEvidence($0) }?.sequence }
        }
        (self.settled, self.cuts) = (settled, cuts)
    }
}
