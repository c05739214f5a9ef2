import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Peers that give a little of what is true now and then, so as to be asked for the rest, and nobody else (D11, D20).
struct DripTests {
    private let town: Town
    /// They were there first, so that they are asked first.
    private let liars: [Stranger]
    private let store = LightStore()
    private let log: LogID
    private let count: UInt64 = 2_000
    /// The first entries once more, each under a head of its own.
    private let older: [UnverifiedChunk]
    private let seed: UInt64 = 1_401

    init() throws {
        let town = try Town(nodes: 1, seed: seed)
        try town.startAll()
        self.town = town
        liars = (0..<2).map { Stranger(town.world, seed: 10 + $0, host: "liar \($0)") }
        var author = Author(seed: 1_402, network: town.network)
        log = author.log
        var early = author
        let payloads = (0..<Int(count)).map { Array("entry \($0)".utf8) }
        _ = try store.append(author.write(payloads, at: 1))
        older = payloads.prefix(400).enumerated().map { early.write([$1], at: UInt64(1 + $0)).unverified }
    }

    private var here: LightStore { town.stores[0] }

    /// An honest peer that comes later, with everything.
    private func honest(_ answer: ((Message) -> [Message])? = nil) -> Stranger {
        let honest = Stranger(town.world, seed: 2, host: "honest")
        // It may be asked for history as soon as it has said Hello.
        honest.serve(store)
        let serve = honest.answer
        honest.answer = { message in
            if let answer, case .want(let wants) = message, wants.contains(where: Self.isForGap) {
                return answer(message)
            }
            return serve(message)
        }
        honest.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        honest.send(.changes(Changes(logs: [LogSize(log: log, size: count)], number: 1)))
        return honest
    }

    private static func isForGap(_ want: RangeWant) -> Bool {
        if case .until = want.extent { true } else { false }
    }

    /// The liars say Hello, and offer the whole log; the first gives its newest entries if it is asked for these and
    /// `isWindowed`.
    private func offer(isWindowed: Bool, _ answer: @escaping (Stranger, RangeWant) -> [Message]) {
        for liar in liars {
            liar.answer = { [store] message in
                guard case .want(let wants) = message else { return [] }
                return wants.flatMap { want -> [Message] in
                    if !isWindowed || Self.isForGap(want) { return answer(liar, want) }
                    let chunk = try? store.ranges([want], byteLimit: 400_000).first
                    guard case .chunk(let chunk)? = chunk else { return [] }
                    return [.chunks(Chunks(chunks: [chunk]))]
                }
            }
            liar.greet(Stranger.hello(version: 2, features: [Hello.windows]))
            liar.send(.changes(Changes(logs: [LogSize(log: log, size: count)], number: nil)))
            liar.run(milliseconds: 200)
        }
    }

    /// One entry of an answer.
    private func drop(_ want: RangeWant) -> [UnverifiedChunk] {
        guard case .chunk(let chunk)? = try? store.ranges([want], byteLimit: 1).first else { return [] }
        return [chunk]
    }

    /// How many seconds that took.
    private func wait(
        with honest: Stranger,
        seconds limit: Int,
        _ step: (Int) -> Void = { _ in },
        until isReached: () -> Bool
    ) -> Int {
        let all = liars + [honest]
        for second in 0..<limit {
            if isReached() { return second }
            if second % 15 == 0 { for stranger in all { stranger.send(.credit(1)) } }
            step(second)
            for stranger in all { stranger.run(milliseconds: 333) }
        }
        return limit
    }

    private var areLiarsWelcome: Bool { liars.allSatisfy(\.isOpen) && town.violations(0).isEmpty }

    /// One entry every 15 s, in one answer that never ends.
    @Test(arguments: [false, true]) func `What drips is had of another`(isHistory: Bool) throws {
        var due: [NodeID: RangeWant] = [:]
        offer(isWindowed: isHistory) { liar, want in
            due[liar.id] = want
            return []
        }
        let other = honest()
        let isHere = { here.size(log) == count && here.gaps.isEmpty }
        let seconds = wait(with: other, seconds: 300) { second in
            for liar in liars where second % 15 == 14 {
                guard let want = due[liar.id], let chunk = drop(want).first else { continue }
                liar.send(.chunks(Chunks(chunks: [chunk])))
                let extent: RangeWant.Extent = isHistory ? want.extent : .all
                due[liar.id] = RangeWant(log: log, from: chunk.start + 1, certificate: .known, extent: extent)
            }
        } until: {
            isHere()
        }
        #expect(isHere() && seconds <= 90, "\(seconds) s, \(here.stored(log)) entries, \(here.gaps), seed \(seed)")
        #expect(areLiarsWelcome)
    }

    /// One entry in each answer, at once or after 15 s.
    @Test(arguments: [false, true], [0, 15])
    func `What comes in drops is had of another`(isHistory: Bool, delay: Int) throws {
        var due: [NodeID: RangeWant] = [:]
        var drops = 0
        let answer = { (want: RangeWant) -> [Message] in
            drops += 1
            if isHistory { return [.chunks(Chunks(chunks: drop(want), lackingBefore: [want.log]))] }
            // The next entry under the head that was signed with it.
            guard want.from < UInt64(older.count) else { return [] }
            return [.chunks(Chunks(chunks: [older[Int(want.from)]]))]
        }
        offer(isWindowed: isHistory) { liar, want in
            due[liar.id] = want
            return []
        }
        let other = honest()
        if delay == 0 {
            for liar in liars {
                let serve = liar.answer
                liar.answer = { message in
                    let messages = serve(message)
                    return messages + (due.removeValue(forKey: liar.id).map(answer) ?? [])
                }
            }
        }
        let isHere = { here.size(log) == count && here.gaps.isEmpty }
        let seconds = wait(with: other, seconds: 300) { second in
            for liar in liars where second % 15 == 14 {
                guard let want = due.removeValue(forKey: liar.id) else { continue }
                for message in answer(want) { liar.send(message) }
            }
        } until: {
            isHere()
        }
        let found = "\(seconds) s, \(drops) drops, \(here.size(log)) entries, \(here.gaps), seed \(seed)"
        #expect(isHere() && seconds <= 90 && drops <= 6, "\(found)")
        #expect(areLiarsWelcome)
    }

    /// Nobody else has it: nobody is asked for it the more often, and rounds grow rare.
    @Test func `History in drops makes nobody ask for it without end`() throws {
        var drops = 0
        offer(isWindowed: true) { _, want in
            drops += 1
            return [.chunks(Chunks(chunks: drop(want), lackingBefore: [want.log]))]
        }
        let other = honest { _ in [.chunks(Chunks(chunks: [], lackingBefore: [log]))] }
        _ = wait(with: other, seconds: 3_600) { here.gaps.isEmpty }
        let asked = other.wants.count(where: Self.isForGap)
        // Some seven rounds in an hour.
        #expect(here.gaps.count == 1 && drops <= 20 && asked <= 20, "\(drops) drops, asked \(asked), seed \(seed)")
        #expect(areLiarsWelcome)
    }
}
