import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A peer that answers a little of what it is asked for, and never what it wants to silence (D11, D20).
struct CensorTests {
    private let town: Town
    private let censor: Stranger
    /// Logs that are not there: saying so of one is an answer.
    private var invented: [LogID]

    init() throws {
        town = try Town(nodes: 1, seed: 1_301)
        try town.startAll()
        censor = Stranger(town.world, seed: 1, host: "censor")
        invented = (0..<64).map { LogID(raw: Author.bytes($0, "invented")) }
    }

    private func stock(_ posts: Int) throws -> (LogID, LightStore) {
        var author = Author(seed: 1_302, network: town.network)
        let store = LightStore()
        for post in 0..<posts { _ = try store.append(author.write("post \(post)", at: UInt64(post))) }
        return (author.log, store)
    }

    private func honest(_ store: LightStore, _ log: LogID, features: Set<UInt32> = []) -> Stranger {
        let honest = Stranger(town.world, seed: 2, host: "honest")
        honest.greet(Stranger.hello(version: 2, features: features))
        honest.serve(store)
        honest.send(.changes(Changes(logs: [LogSize(log: log, size: store.size(log))], number: 1)))
        return honest
    }

    /// Time passes; every 15 s the censor answers one thing, and asks to be asked another.
    private mutating func wait(with honest: Stranger, seconds limit: Int, until isReached: () -> Bool) {
        for second in 0..<limit where !isReached() {
            if second % 15 == 0, let lost = invented.popLast(), let next = invented.last {
                censor.send(.chunks(Chunks(chunks: [], lacking: [lost])))
                censor.send(.changes(Changes(logs: [LogSize(log: next, size: 9)], number: nil)))
            }
            censor.run(milliseconds: 500)
            honest.run(milliseconds: 500)
        }
    }

    @Test mutating func `A log that it is asked for is had of another`() throws {
        let (log, store) = try stock(13)
        censor.greet(Stranger.hello(version: 2))
        let offers = [LogSize(log: log, size: 1 << 32 - 1)] + invented.suffix(2).map { LogSize(log: $0, size: 9) }
        censor.send(.changes(Changes(logs: offers, number: nil)))
        censor.run(milliseconds: 200)
        #expect(censor.wants.map(\.log).contains(log))
        let other = honest(store, log)
        let here = town.stores[0]
        wait(with: other, seconds: 60) { here.size(log) == 13 }
        #expect(here.size(log) == 13)
        #expect(censor.isOpen && town.violations(0).isEmpty)
        #expect(censor.wants.count { $0.log == log } == 1, "what it has not answered it is not asked again")
    }

    /// It was there first, and says in one breath that it lacks a log and that it has it.
    @Test func `A log that it offers again as soon as it lacked it is had of another`() throws {
        let (log, store) = try stock(13)
        let offer = Message.changes(Changes(logs: [LogSize(log: log, size: 1 << 32 - 1)], number: nil))
        censor.answer = { message in
            guard case .want(let wants) = message else { return [] }
            return [.chunks(Chunks(lacking: wants.map(\.log))), offer]
        }
        censor.greet(Stranger.hello(version: 2))
        censor.send(offer)
        let other = honest(store, log)
        let here = town.stores[0]
        for _ in 0..<200 where here.size(log) < 13 {
            censor.run(milliseconds: 5)
            other.run(milliseconds: 5)
        }
        #expect(here.size(log) == 13)
        #expect(censor.isOpen && town.violations(0).isEmpty)
        // What nobody else has may be asked of it again.
        censor.forget()
        for _ in 0..<200 where censor.wants.isEmpty { censor.run(milliseconds: 50) }
        #expect(censor.wants.map(\.log).contains(log))
    }

    @Test func `A log is had of another though it spends its credit on something else`() throws {
        let town = try Town(nodes: 1, seed: 1_308) { $0.workMilliseconds = 900_000...900_000 }
        try town.startAll()
        let censor = Stranger(town.world, seed: 1, host: "censor")
        let honest = Stranger(town.world, seed: 2, host: "honest")
        for stranger in [censor, honest] { stranger.greet(Stranger.hello(version: 2)) }
        let (log, _) = try stock(1)
        censor.send(.changes(Changes(logs: [LogSize(log: log, size: 9)], number: nil)))
        censor.run(milliseconds: 200)
        #expect(censor.wants.map(\.log) == [log])
        honest.send(.changes(Changes(logs: [LogSize(log: log, size: 9)], number: nil)))
        let body = [UInt8](repeating: 120, count: 60_000)
        for number in 0..<UInt64(6) {
            var other = Author(seed: 2_000 + number, network: town.network)
            let chunk = other.write([[UInt8]](repeating: body, count: 10), at: 1).unverified
            censor.send(.chunks(Chunks(chunks: [chunk])))
            censor.run(milliseconds: 50)
        }
        for second in 0..<500 where honest.wants.isEmpty {
            for stranger in [censor, honest] where second % 15 == 0 { stranger.send(.credit(1)) }
            censor.run(milliseconds: 500)
            honest.run(milliseconds: 500)
        }
        #expect(honest.wants.map(\.log) == [log])
        #expect(censor.isOpen && town.violations(0).isEmpty)
    }

    /// A chunk that leaves out what nobody asked it to leave out, and then, now and then, one that follows on that.
    @Test func `A log of which its answer never fits is had of another`() throws {
        let (log, store) = try stock(13)
        let signature = try #require(Signature([UInt8](repeating: 1, count: 64)))
        let chunk = { (start: UInt64, left: [Bytes32]) in
            var chunk = UnverifiedChunk(
                log: log,
                certificate: nil,
                start: start,
                count: 1,
                size: 1 << 20,
                proof: .head(signature),
                entries: [1],
                right: [Bytes32](repeating: .zero, count: TreePlace.covering(start + 1..<1 << 20).count)
            )
            chunk.left = left
            return chunk
        }
        let offer = Message.changes(Changes(logs: [LogSize(log: log, size: 1 << 20)], number: nil))
        censor.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        censor.send(offer)
        censor.run(milliseconds: 100)
        #expect(censor.wants.map(\.log) == [log])
        let other = honest(store, log)
        censor.send(.chunks(Chunks(chunks: [chunk(7, [Bytes32.zero])])))
        let here = town.stores[0]
        for number in 0..<UInt64(30) where here.size(log) < 13 {
            censor.run(milliseconds: 500)
            other.run(milliseconds: 500)
            censor.send(.chunks(Chunks(chunks: [chunk(8 + number, [])])))
        }
        #expect(here.size(log) == 13)
        #expect(censor.isOpen && town.violations(0).isEmpty)
    }

    /// What it pushes waits behind a pile of its own, and is false.
    @Test func `A log of which it has pushed something is had of another`() throws {
        let town = try Town(nodes: 1, seed: 1_305) { $0.workMilliseconds = 5...5 }
        try town.startAll()
        let censor = Stranger(town.world, seed: 1, host: "censor")
        let honest = Stranger(town.world, seed: 2, host: "honest")
        for stranger in [censor, honest] { stranger.greet(Stranger.hello(version: 2)) }
        // Somebody writes meanwhile, so that history waits.
        var author = Author(seed: 1_307, network: town.network)
        honest.send(.chunks(Chunks(chunks: [author.write("one", at: 1).unverified])))
        honest.run(milliseconds: 50)
        let (log, store) = try stock(3)
        let pile = (0..<UInt64(2_000)).map { number in
            var other = Author(seed: 2_000 + number, network: town.network)
            return other.write("pile", at: 1).unverified
        }
        let want = RangeWant(log: log, from: 0, certificate: .send)
        guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 1 << 20).first else {
            Issue.record("no chunk")
            return
        }
        var spoilt = chunk.entries
        spoilt[spoilt.count - 1] ^= 1
        censor.send(.chunks(Chunks(chunks: pile + [chunk.with(entries: spoilt)])))
        censor.run(milliseconds: 50)
        honest.serve(store)
        honest.send(.changes(Changes(logs: [LogSize(log: log, size: 3)], number: 1)))
        let here = town.stores[0]
        for _ in 0..<40 where here.size(log) < 3 { honest.run(milliseconds: 5) }
        let stored = pile.count { town.stores[0].size($0.log) == 1 }
        #expect(town.stores[0].size(log) == 3)
        #expect(stored > 0 && stored < pile.count / 2 && censor.isOpen, "\(stored) of the pile")
        // Its turn comes all the same.
        honest.run(milliseconds: 30_000)
        #expect(town.stores[0].size(log) == 3 && town.violations(0).count <= 1)
    }

    /// Who has pushed a log itself is not asked for it as well.
    @Test func `A log that waits is not asked of who has pushed it`() throws {
        let town = try Town(nodes: 1, seed: 1_306) { $0.workMilliseconds = 5...5 }
        try town.startAll()
        let stranger = Stranger(town.world, seed: 1)
        stranger.greet(Stranger.hello(version: 2))
        let chunks = (0..<UInt64(2_000)).map { number in
            var other = Author(seed: 2_000 + number, network: town.network)
            return other.write("one of many", at: 1).unverified
        }
        stranger.send(.chunks(Chunks(chunks: chunks)))
        stranger.run(milliseconds: 30_000)
        #expect(chunks.allSatisfy { town.stores[0].size($0.log) == 1 })
        #expect(stranger.wants.isEmpty)
    }

    @Test mutating func `A body that it is asked for is had of another`() throws {
        let (log, store) = try stock(3)
        let place = BodyPlace(log: log, sequence: 1)
        let whole = LightStore()
        _ = try stock(3, in: whole)
        store.withhold(place)
        censor.greet(Stranger.hello(version: 2))
        censor.serve(store)
        let serve = censor.answer
        censor.answer = { message in
            if case .bodiesWanted = message { return [] }
            if case .want(let wants) = message, wants.contains(where: { $0.log != log }) { return [] }
            return serve(message)
        }
        // Somebody else sends the entry without its body, and goes: the censor is the first to be asked for it.
        let relay = Stranger(town.world, seed: 3, host: "relay")
        relay.greet(Stranger.hello(version: 2))
        relay.serve(store)
        relay.send(.changes(Changes(logs: [LogSize(log: log, size: 3)], number: 1)))
        relay.run(milliseconds: 300)
        censor.send(.changes(Changes(logs: invented.suffix(2).map { LogSize(log: $0, size: 9) }, number: nil)))
        censor.run(milliseconds: 300)
        #expect(town.stores[0].size(log) == 3)
        let asked = censor.inbox.contains {
            if case .bodiesWanted(let places) = $0 { places == [place] } else { false }
        }
        #expect(asked)
        let other = honest(whole, log)
        let serveWhole = other.answer
        other.answer = { message in
            guard case .bodiesWanted(let places) = message else { return serveWhole(message) }
            return [.bodies(places.map { BodyAnswer(place: $0, payload: whole.payload($0)) })]
        }
        let here = town.stores[0]
        wait(with: other, seconds: 60) { here.payload(place) != nil }
        #expect(here.payload(place) == Array("post 1".utf8))
        #expect(censor.isOpen && town.violations(0).isEmpty)
    }

    private func stock(_ posts: Int, in store: LightStore) throws -> LogID {
        var author = Author(seed: 1_302, network: town.network)
        for post in 0..<posts { _ = try store.append(author.write("post \(post)", at: UInt64(post))) }
        return author.log
    }

    @Test mutating func `History that it is asked for is had of another`() throws {
        var author = Author(seed: 1_302, network: town.network)
        let store = LightStore()
        let count = 2_000
        _ = try store.append(author.write((0..<count).map { Array("entry \($0)".utf8) }, at: 1))
        let log = author.log
        censor.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        censor.serve(store)
        let serve = censor.answer
        censor.answer = { message in
            if case .want(let wants) = message,
                wants.contains(where: { $0.log != log || $0.extent != .newest(Limits.windowEntries) })
            {
                return []
            }
            return serve(message)
        }
        censor.send(.changes(Changes(logs: [LogSize(log: log, size: UInt64(count))], number: nil)))
        censor.run(milliseconds: 1_000)
        let here = town.stores[0]
        #expect(here.size(log) == UInt64(count) && here.gaps.count == 1)
        #expect(censor.wants.last?.extent == .until(UInt64(count) - Limits.windowEntries))
        censor.send(.changes(Changes(logs: invented.suffix(2).map { LogSize(log: $0, size: 9) }, number: nil)))
        let other = honest(store, log, features: [Hello.windows])
        wait(with: other, seconds: 60) { here.gaps.isEmpty }
        #expect(here.gaps.isEmpty)
        #expect(censor.isOpen && town.violations(0).isEmpty)
    }

    @Test mutating func `Who sends all the time is waited for`() throws {
        let (log, store) = try stock(3)
        censor.greet(Stranger.hello(version: 2))
        var slow = Author(seed: 1_303, network: town.network)
        let offers = [log, slow.log].map { LogSize(log: $0, size: 3_000) }
        censor.send(.changes(Changes(logs: offers, number: nil)))
        censor.run(milliseconds: 200)
        let other = honest(store, log)
        // 15 KB a second, each of them a part of an answer.
        for _ in 0..<60 {
            censor.send(.chunks(Chunks(chunks: [slow.write([[UInt8](repeating: 1, count: 15_000)], at: 1).unverified])))
            censor.run(milliseconds: 500)
            other.run(milliseconds: 500)
        }
        #expect(other.wants.isEmpty, "all that is asked of a slow peer is not asked of everybody else too")
    }
}
