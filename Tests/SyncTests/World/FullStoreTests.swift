import Entries
import Foundation
import Simulation
import Storage
import Sodium
import Testing

@testable import Sync

/// The same nodes over the real store.
struct FullStoreTests {
    private func texts(_ store: FullStore) throws -> [String] {
        var query = FeedQuery(now: .max, reader: nil)
        query.limit = 1_000
        return try store.open().reader.feed(query).posts.compactMap { post in
            if case .shown(let text) = post.content { text.text } else { nil }
        }
    }

    private func town(_ count: Int, seed: UInt64, places: [EntryStore.Place]) throws -> (World, [FullStore], [Author]) {
        var options = WorldOptions(seed: seed)
        options.chunking = .random(upTo: 2_000)
        options.latencyMilliseconds = 1...50
        options.workMilliseconds = 0...30
        let world = World(options)
        let stores = places.map { FullStore($0, network: world.network) }
        let authors = (0..<count).map { Author(seed: seed * 1_000 + UInt64($0), network: world.network) }
        for (store, author) in zip(stores, authors) { try store.register(author) }
        for node in 0..<count {
            _ = world.add(stores[node], peers: node > 0 ? [World.target(node - 1)] : [], exchange: .off)
        }
        return (world, stores, authors)
    }

    private func areCalm(_ world: World) -> Bool {
        Set(world.nodes.map(\.fingerprint)).count == 1
            && world.nodes.allSatisfy { node in
                let sessions = node.machine?.status.sessions ?? []
                return !sessions.isEmpty && sessions.allSatisfy(\.isEqual)
            }
    }

    @Test func `Three homes show the same feed after a split`() throws {
        var (world, stores, authors) = try town(3, seed: 201, places: [.memory, .memory, .memory])
        for node in 0..<3 { try world.start(node) }
        for node in 0..<3 { try world.write("before \(node)", on: node, by: &authors[node]) }
        #expect(world.run(until: { areCalm(world) }, withinMilliseconds: 60_000))
        world.cut(0, 1)
        world.run(milliseconds: 1_000)
        for node in 0..<3 {
            for post in 0..<10 {
                try world.write("apart \(node) \(post)", on: node, by: &authors[node])
                world.run(milliseconds: 30)
            }
        }
        world.heal(0, 1)
        #expect(world.run(until: { areCalm(world) }, withinMilliseconds: 600_000))
        let feeds = try stores.map(texts)
        #expect(feeds[0].count == 33)
        #expect(Set(feeds).count == 1)
        let fingerprints = try stores.map { try $0.open().reader.fingerprint().fingerprint }
        #expect(Set(fingerprints) == Set(world.nodes.compactMap(\.fingerprint)), "memory and disk agree")
    }

    @Test(arguments: 210..<214)
    func `Homes that are killed and started converge`(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scurry-world-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let places = (0..<3).map { EntryStore.Place.file(folder.appendingPathComponent("store\($0)").path) }
        var (world, stores, authors) = try town(3, seed: seed, places: places)
        for node in 0..<3 { try world.start(node) }
        var chance = Chance(seed: seed)
        for step in 0..<25 {
            let node = Int(chance.next() % 3)
            if chance.next() % 4 == 0 {
                world.kill(node)
                world.run(milliseconds: chance.next() % 40)
                try world.start(node)
            } else {
                try world.write("step \(step)", on: node, by: &authors[node])
            }
            world.run(milliseconds: chance.next() % 200)
        }
        #expect(world.run(until: { areCalm(world) }, withinMilliseconds: 1_200_000), "seed \(seed)")
        let feeds = try stores.map(texts)
        #expect(Set(feeds).count == 1, "seed \(seed)")
        #expect(world.nodes.allSatisfy { $0.stoppedSigning.isEmpty }, "seed \(seed)")
    }
}
