import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What a slow peer, or a greedy one, can make a node hold.
struct CreditTests {
    private func bigStore(_ town: Town) throws -> Author {
        var author = Author(seed: 8, network: town.network)
        let body = [UInt8](repeating: 120, count: 50_000)
        var batch = TakeBatch()
        for _ in 0..<20 {
            batch.chunks.append(
                TakeBatch.SourcedChunk(
                    chunk: author.write([[UInt8]](repeating: body, count: 10), at: 1),
                    source: NodeID(raw: Author.bytes(1, "nobody"))
                )
            )
        }
        _ = try town.stores[0].take(batch)
        return author
    }

    @Test func `A reader that gives no credit gets no more than it allowed`() throws {
        let town = try Town(nodes: 1, seed: 101)
        let author = try bigStore(town)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(credit: Limits.minimumCreditBytes))
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 2_000)
        let first = stranger.chunkBytes
        #expect(first <= Limits.minimumCreditBytes)
        #expect(first > Limits.minimumCreditBytes / 2)
        let serving = try #require(town.world.nodes[0].machine?.links.values.first?.serving)
        #expect(serving.held.count <= 3, "one answer of the store waits, no more")
        stranger.send(.credit(3_000_000))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.chunkBytes > first)
        #expect(stranger.chunkBytes <= Limits.minimumCreditBytes + 3_000_000)
        stranger.send(.credit(30_000_000))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.chunks.flatMap(\.chunks).reduce(0) { $0 + $1.count } == 200)
    }

    @Test func `A reader that reads nothing holds a bounded queue`() throws {
        let town = try Town(nodes: 2, seed: 102)
        let author = try bigStore(town)
        town.link(1, 0)
        try town.startAll()
        let isReady = { (0..<2).allSatisfy { town.status($0)?.sessions.count == 1 } }
        #expect(town.world.run(until: isReady, withinMilliseconds: 5_000))
        town.world.setReading(.paused, 1)
        town.world.run(milliseconds: 10_000)
        let queued = try #require(town.world.nodes[0].machine?.sessions.values.first?.queuedBytes)
        #expect(queued <= Limits.queueSoftBytes + Limits.readBytes + 200_000)
        town.world.setReading(.reading, 1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 30_000))
        #expect(town.stores[1].size(author.log) == 200)
    }

    @Test func `More than the credit is a violation`() throws {
        let town = try Town(nodes: 1, seed: 103)
        try town.startAll()
        var author = Author(seed: 8, network: town.network)
        let body = [UInt8](repeating: 120, count: 60_000)
        let chunk = author.write([[UInt8]](repeating: body, count: 10), at: 1).unverified
        let stranger = Stranger(town.world)
        stranger.greet()
        // Chunks that fit nowhere are dropped and paid back; while the store is busy they are not.
        town.stores[0].failingTakes = .max
        stranger.send(.chunks(Chunks(chunks: [chunk], number: 1)))
        for number in 0..<8 {
            var other = Author(seed: 100 + UInt64(number), network: town.network)
            let more = other.write([[UInt8]](repeating: body, count: 10), at: 1).unverified
            stranger.send(.chunks(Chunks(chunks: [more], number: UInt64(number + 2))))
        }
        stranger.run(milliseconds: 200)
        #expect(town.violations(0) == [.overCredit])
        #expect(stranger.goodbye == .violation(code: SyncViolation.overCredit.rawValue))
    }

    @Test func `More bodies than the credit are a violation`() throws {
        let town = try Town(nodes: 1, seed: 105)
        try town.startAll()
        let other = Stranger(town.world, seed: 78)
        other.greet()
        let store = LightStore()
        var writer = Author(seed: 9, network: town.network)
        let bodies = [[UInt8]](repeating: [UInt8](repeating: 120, count: 50_000), count: 120)
        _ = try store.append(writer.write(bodies, at: 1))
        for sequence in 0..<UInt64(120) { store.withhold(BodyPlace(log: writer.log, sequence: sequence)) }
        other.serve(store)
        other.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 120)], number: 1)))
        other.run(milliseconds: 500)
        #expect(town.status(0)?.wantedBodies == 120)
        town.stores[0].failingTakes = .max
        let holder = Stranger(town.world)
        holder.answer = { message in
            guard case .bodiesWanted(let places) = message else { return [] }
            return stride(from: 0, to: places.count, by: 5).map { start in
                .bodies(places[start..<min(start + 5, places.count)].map { BodyAnswer(place: $0, payload: bodies[0]) })
            }
        }
        holder.greet()
        holder.run(milliseconds: 500)
        #expect(town.violations(0) == [.overCredit])
        #expect(holder.goodbye == .violation(code: SyncViolation.overCredit.rawValue))
    }

    @Test func `A peer that asks on before it was answered is closed`() throws {
        let town = try Town(nodes: 1, seed: 106)
        var batch = TakeBatch()
        for number in 0..<2_000 {
            var author = Author(seed: 70_000 + UInt64(number), network: town.network)
            batch.chunks.append(
                TakeBatch.SourcedChunk(
                    chunk: author.write("x", at: 1),
                    source: NodeID(raw: Author.bytes(1, "nobody"))
                )
            )
        }
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        town.world.setReading(.paused, stranger.session)
        for page in 1...UInt32(260) {
            let bounds = PageBounds(after: nil, through: nil)
            stranger.send(.compare(ComparePage(page: page, bounds: bounds, logs: [])))
        }
        town.world.run(milliseconds: 100)
        let isOpen = stranger.isOpen
        #expect(!isOpen)
        let reports = town.reports(0)
        let isBlamed = reports.contains {
            if case .violation(stranger.id, _, .impossiblePage, _) = $0 { true } else { false }
        }
        #expect(isBlamed)
    }

    @Test func `Credit comes back once it is stored`() throws {
        let town = try Town(nodes: 1, seed: 104)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let body = [UInt8](repeating: 120, count: 60_000)
        for number in 0..<30 {
            var author = Author(seed: 100 + UInt64(number), network: town.network)
            let chunk = author.write([[UInt8]](repeating: body, count: 10), at: 1).unverified
            stranger.send(.chunks(Chunks(chunks: [chunk], number: UInt64(number + 1))))
            stranger.run(milliseconds: 100)
        }
        #expect(town.violations(0).isEmpty)
        #expect(town.stores[0].entryCount == 300)
    }

    @Test func `Questions beyond every log are counted like the others`() throws {
        let town = try Town(nodes: 1, seed: 107)
        try town.startAll()
        let asker = Stranger(town.world)
        asker.greet()
        let beyond = RangeWant(log: LogID(raw: .zero), from: EntryLimits.maximumLogEntries, certificate: .known)
        let want = Message.want([RangeWant](repeating: beyond, count: Limits.wantsPerMessage))
        asker.send(frames: [Frame](repeating: want.frame, count: Limits.wantsUnanswered / Limits.wantsPerMessage + 1))
        expectViolation(.tooManyQuestions, of: asker, in: town)
        let reader = Stranger(town.world, seed: 78, host: "reader")
        reader.greet()
        let place = BodyPlace(log: LogID(raw: .zero), sequence: .max)
        let bodies = Message.bodiesWanted([BodyPlace](repeating: place, count: Limits.bodiesPerMessage))
        let count = Limits.bodiesUnanswered / Limits.bodiesPerMessage
        reader.send(frames: [Frame](repeating: bodies.frame, count: count + 1))
        reader.run(milliseconds: 200)
        #expect(town.violations(0) == [.tooManyQuestions, .tooManyQuestions])
    }

    @Test func `What lies beyond every log is lacking`() throws {
        let town = try Town(nodes: 1, seed: 108)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let log = LogID(raw: Author.bytes(1, "log"))
        let place = BodyPlace(log: log, sequence: .max)
        stranger.send(.want([RangeWant(log: log, from: .max, certificate: .send)]), .bodiesWanted([place]))
        stranger.run(milliseconds: 200)
        #expect(stranger.chunks.flatMap(\.lacking) == [log])
        #expect(stranger.inbox.contains(.bodies([BodyAnswer(place: place, payload: nil)])))
    }
}
