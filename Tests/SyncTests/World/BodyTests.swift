import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Bodies that were held back.
struct BodyTests {
    @Test func `A body that a relay holds back is fetched elsewhere`() throws {
        let town = try Town(nodes: 3, seed: 41)
        // 0 wrote it, 1 relays without the body, 2 hears of it from 1 first, and later meets 0.
        for post in 0..<5 { try town.write("post \(post)", on: 0) }
        town.link(1, 0)
        town.link(2, 1)
        town.link(2, 0)
        try town.startAll()
        town.world.cut(0, 2)
        let place = BodyPlace(log: town.authors[0].log, sequence: 2)
        #expect(town.world.run(until: { town.stores[1].contents.count == 5 }, withinMilliseconds: 10_000))
        town.stores[1].withhold(place)
        #expect(town.world.run(until: { town.stores[2].contents.count == 5 }, withinMilliseconds: 10_000))
        town.world.run(milliseconds: 5_000)
        #expect(town.stores[2].payload(place) == nil)
        #expect(town.status(2)?.wantedBodies == 1)
        town.world.heal(0, 2)
        let isHere = { town.stores[2].payload(place) != nil }
        #expect(town.world.run(until: isHere, withinMilliseconds: 600_000))
        #expect(town.stores[2].payload(place) == Array("post 2".utf8))
        #expect(town.status(2)?.wantedBodies == 0)
        #expect((0..<3).flatMap(town.violations).isEmpty)
    }

    @Test func `While the disk is full no more bodies are asked for than it has room for`() throws {
        let town = try Town(nodes: 1, seed: 1_043)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        let text = String(repeating: "x", count: 60_000)
        for number in 0..<300 as Range<UInt64> { _ = try source.append(author.write(text, at: number + 1)) }
        for number in 0..<300 as Range<UInt64> { source.withhold(BodyPlace(log: author.log, sequence: number)) }
        let relay = Stranger(town.world)
        relay.greet()
        relay.serve(source)
        relay.send(.changes(Changes(logs: [LogSize(log: author.log, size: 300)], number: 1)))
        relay.run(milliseconds: 5_000)
        #expect(town.status(0)?.wantedBodies == 300)
        town.world.hangUp(relay.session)
        town.stores[0].failingTakes = .max
        var sent = 0
        for seed in 0..<6 as Range<UInt64> {
            let stranger = Stranger(town.world, seed: 300 + seed, host: "host \(seed)")
            var credit = Int(Limits.creditWindowBytes)
            stranger.answer = { message in
                guard case .bodiesWanted(let places) = message else { return [] }
                return places.compactMap { place in
                    credit -= 61_000
                    guard credit > 0 else { return nil }
                    sent += text.utf8.count
                    return .bodies([BodyAnswer(place: place, payload: Array(text.utf8))])
                }
            }
            stranger.greet()
            stranger.run(milliseconds: 3_000)
            town.world.hangUp(stranger.session)
            town.world.run(milliseconds: 100)
        }
        #expect(sent > 0)
        #expect(sent <= Limits.batchBytes + 2 * Int(Limits.creditWindowBytes))
    }

    @Test func `A body is not asked for any more once its entry is deleted here`() throws {
        let town = try Town(nodes: 1, seed: 43)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        _ = try source.append(author.write("gone", at: 1))
        let place = BodyPlace(log: author.log, sequence: 0)
        source.withhold(place)
        let relay = Stranger(town.world)
        relay.greet()
        relay.serve(source)
        relay.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1)], number: 1)))
        relay.run(milliseconds: 500)
        #expect(town.status(0)?.wantedBodies == 1)
        let own = try town.stores[0].append("a delete", by: &town.authors[0], at: 5)
        let delete = OwnAppend(chunk: own.chunk, row: own.row, forgotten: [], unwantedBodies: [place])
        town.world.give(0, .appended(delete))
        #expect(town.status(0)?.wantedBodies == 0)
    }

    @Test func `A body that nobody has is asked for daily at the last`() throws {
        let town = try Town(nodes: 1, seed: 42)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        _ = try source.append(author.write("gone", at: 1))
        source.withhold(BodyPlace(log: author.log, sequence: 0))
        let relay = Stranger(town.world)
        var asked: [UInt64] = []
        relay.greet()
        relay.serve(source)
        let serve = relay.answer
        relay.answer = { message in
            guard case .bodiesWanted(let places) = message else { return serve(message) }
            asked.append(town.world.now)
            return [.bodies(places.map { BodyAnswer(place: $0, payload: nil) })]
        }
        relay.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1)], number: 1)))
        let day: UInt64 = 86_400_000
        let end = town.world.now + 6 * day
        while town.world.now < end {
            relay.run(milliseconds: 40_000)
            relay.send(.keepAlive(KeepAlive.any))
        }
        let gaps = zip(asked.dropFirst(), asked).map { $0 - $1 }
        #expect(asked.count >= 12)
        #expect(gaps.allSatisfy { $0 >= 60_000 })
        #expect((gaps.last ?? 0) >= day)
    }

    @Test func `Another body is a violation`() throws {
        let town = try Town(nodes: 1, seed: 43)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        _ = try source.append(author.write("true", at: 1))
        source.withhold(BodyPlace(log: author.log, sequence: 0))
        let relay = Stranger(town.world, seed: 78)
        relay.greet()
        relay.serve(source)
        relay.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1)], number: 1)))
        relay.run(milliseconds: 200)
        let forger = Stranger(town.world)
        forger.answer = { message in
            guard case .bodiesWanted(let places) = message else { return [] }
            return [.bodies(places.map { BodyAnswer(place: $0, payload: Array("false".utf8)) })]
        }
        forger.greet()
        forger.run(milliseconds: 500)
        #expect(town.violations(0) == [.wrongBody])
        #expect(forger.goodbye == .violation(code: SyncViolation.wrongBody.rawValue))
        #expect(town.stores[0].missingBodies == 1)
        #expect(relay.isOpen)
    }

    @Test func `Bodies that nobody asked for are a violation`() throws {
        let town = try Town(nodes: 1, seed: 44)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let place = BodyPlace(log: LogID(raw: Author.bytes(1, "log")), sequence: 0)
        stranger.send(.bodies([BodyAnswer(place: place, payload: [1])]))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }
}

extension KeepAlive {
    /// A busy node's.
    static var any: KeepAlive {
        guard let fingerprint = Fingerprint([UInt8](repeating: 3, count: 16)) else { preconditionFailure("16 bytes") }
        return KeepAlive(fingerprint: fingerprint, count: 1, number: 0, activity: .busy, request: .nothing)
    }
}
