import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct WordQueueTests {
    private func arrival(
        _ number: UInt64,
        by session: UInt64,
        epoch: Milestones.Epoch? = nil,
        _ kind: WordQueue.Kind = .settlement
    ) -> WordQueue.Arrival {
        let log = LogID(raw: Author.bytes(number, "log"))
        return WordQueue.Arrival(
            session: SessionID(raw: session),
            node: NodeID(raw: Author.bytes(session, "node")),
            words: Words(
                settlement: kind == .settlement ? [UInt8](repeating: 1, count: 208) : nil,
                evidence: kind == .evidence ? [UInt8](repeating: 1, count: 248) : nil,
                certificate: nil
            ),
            mark: LogMark(item: LogSize(log: log, size: 1), root: nil, settlement: nil, cut: nil),
            owner: 7,
            epoch: epoch
        )
    }

    private let valid = WordOutcome.valid(settlement: nil, evidence: nil, certificate: nil)

    @Test func `No session takes up the room of the others`() {
        var queue = WordQueue()
        var counts: [Int] = []
        for session in 1...UInt64(4) {
            var count = 0
            while case .added = queue.add(arrival(UInt64(count), by: session)) { count += 1 }
            counts.append(count)
        }
        let all = Limits.waitingWordBytes / 464
        #expect(counts[0] == all / 2)
        #expect(counts.last ?? 0 >= all / 17)
        // A later word takes the place of the earlier one, however full it is.
        let outcome = queue.add(arrival(0, by: 1))
        #expect(outcome == .replaced)
    }

    @Test func `Who replaces one word by another without end takes up no more room`() {
        var queue = WordQueue()
        for kind in WordQueue.Kind.allCases { _ = queue.delay(arrival(0, by: 1, kind), valid, until: 10) }
        for number in 0..<10_000 {
            let kind: WordQueue.Kind = number.isMultiple(of: 2) ? .settlement : .evidence
            _ = queue.delay(arrival(1, by: 1, kind), valid, until: 10)
        }
        #expect(queue.placesCount < 500)
        var released: [WordQueue.Kind] = []
        while let ripe = queue.released(now: 10, delay: { _, _ in nil }) { released.append(ripe.arrival.kind) }
        #expect(released.count == 2 && queue.isIdle)
    }

    @Test func `Whoever comes and goes while nothing is checked leaves nothing behind`() {
        var queue = WordQueue()
        for session in 1...UInt64(1_000) {
            for number in 0..<UInt64(10) { _ = queue.add(arrival(number, by: session)) }
            if session < 1_000 { _ = queue.drop(SessionID(raw: session)) }
        }
        #expect(queue.placesCount < 200)
        let next = queue.next()
        #expect(next?.count == 10)
    }

    @Test func `With a session all goes that it said, and nothing of others`() {
        var queue = WordQueue()
        for session in [1, 2] as [UInt64] {
            for number in 0..<UInt64(3) { _ = queue.add(arrival(number, by: session)) }
            _ = queue.delay(arrival(7, by: session), valid, until: 10)
            queue.postpone(arrival(0, by: session).mark, of: SessionID(raw: session))
        }
        let dropped = queue.drop(SessionID(raw: 1))
        let logs = (0..<UInt64(3)).map { arrival($0, by: 1).log }
        #expect(dropped == logs.sorted() && queue.delayedCount == 1)
        #expect(queue.waitingBytes == 3 * queue.delayedBytes)
        let isHeld = queue.settle(logs[0]).isEmpty
        let marks = queue.settle(logs[0])
        #expect(isHeld && marks.map { $0.0 } == [SessionID(raw: 2)])
        let again = queue.drop(SessionID(raw: 1))
        #expect(again.isEmpty)
    }

    @Test func `A longer word in the earlier ones place takes no more room than there is`() {
        var queue = WordQueue()
        var count: UInt64 = 0
        while case .added = queue.add(arrival(count, by: 1)) { count += 1 }
        for number in 0..<count {
            let log = LogID(raw: Author.bytes(number, "log"))
            let long = WordQueue.Arrival(
                session: SessionID(raw: 1),
                node: NodeID(raw: Author.bytes(1, "node")),
                words: Words(
                    settlement: nil,
                    evidence: [UInt8](repeating: 1, count: 5_368),
                    certificate: nil
                ),
                mark: LogMark(item: LogSize(log: log, size: 1), root: nil, settlement: nil, cut: nil),
                owner: 7
            )
            _ = queue.add(long)
        }
        #expect(queue.waitingBytes <= Limits.waitingWordBytes / 2)
    }

    @Test func `The sessions take turns`() throws {
        var queue = WordQueue()
        for number in 0..<UInt64(1_000) { _ = queue.add(arrival(number, by: 1)) }
        _ = queue.add(arrival(5_000, by: 2))
        let next = queue.next()
        let lot = try #require(next)
        #expect(lot.count == Limits.wordsPerBatch)
        #expect(lot.contains { $0.log == LogID(raw: Author.bytes(5_000, "log")) })
    }

    @Test func `What is said again waits under the first number`() throws {
        var queue = WordQueue()
        let outcomes = [nil, 4, 9].map { queue.add(arrival(1, by: 1, epoch: $0)) }
        #expect(outcomes == [.added, .announced, .replaced])
        _ = queue.next()
        let checked = queue.endChecking()
        #expect(checked.map(\.epoch) == [4])
    }

    @Test func `What waits for a quota holds nothing and comes in its order`() {
        var queue = WordQueue()
        for number in 0..<UInt64(3) { _ = queue.add(arrival(number, by: 1)) }
        _ = queue.next()
        for arrival in queue.endChecking() {
            _ = queue.delay(arrival, valid, until: 100)
            _ = queue.settle(arrival.log)
            #expect(!queue.isBusy(arrival.log))
        }
        #expect(queue.nextDue == 100)
        let early = queue.released(now: 99, delay: { _, _ in nil })
        #expect(early == nil)
        let first = queue.released(now: 100, delay: { _, _ in nil })
        #expect(first?.arrival.log == LogID(raw: Author.bytes(0, "log")))
        let later = queue.released(now: 100, delay: { _, _ in 200 })
        #expect(later == nil && queue.nextDue == 200)
        _ = queue.drop(SessionID(raw: 1))
        let dropped = queue.released(now: 200, delay: { _, _ in nil })
        #expect(dropped == nil)
        #expect(queue.isIdle && queue.nextDue == nil)
    }

    @Test func `A settlement does not wait for evidence`() {
        var queue = WordQueue()
        for number in 0..<UInt64(3) { _ = queue.delay(arrival(number, by: 1, .evidence), valid, until: 100) }
        _ = queue.delay(arrival(9, by: 2), valid, until: 100)
        // Words of the other kind about the same log take the place of the earlier ones.
        _ = queue.delay(arrival(1, by: 1), valid, until: 100)
        var order: [LogID] = []
        while let ripe = queue.released(now: 100, delay: { _, kind in kind == .evidence ? 200 : nil }) {
            order.append(ripe.arrival.log)
        }
        #expect(order == [9, 1].map { LogID(raw: Author.bytes($0, "log")) })
        while let ripe = queue.released(now: 200, delay: { _, _ in nil }) { order.append(ripe.arrival.log) }
        #expect(order.suffix(2) == [0, 2].map { LogID(raw: Author.bytes($0, "log")) })
        #expect(queue.isIdle && queue.nextDue == nil)
    }

    @Test func `What waits for a quota has its bounds`() {
        var queue = WordQueue()
        var count = 0
        while queue.delay(arrival(UInt64(count), by: 1), valid, until: 100).isKept { count += 1 }
        #expect(count == Limits.waitingWordBytes / 464 / 2)
        let (isKept, replaced) = queue.delay(arrival(0, by: 2), valid, until: 100)
        #expect(isKept && replaced == nil)
        let again = queue.delay(arrival(0, by: 2), valid, until: 100)
        #expect(again.isKept && again.replaced?.session == SessionID(raw: 2))
    }

    @Test func `What is said of a busy log is kept until it is not`() {
        var queue = WordQueue()
        let said = arrival(1, by: 3)
        _ = queue.add(arrival(1, by: 1))
        queue.hold(said.log)
        queue.postpone(said.mark, of: said.session)
        let early = queue.settle(said.log)
        #expect(early.isEmpty)
        let late = queue.settle(said.log)
        #expect(late.map(\.0) == [said.session])
        let once = queue.settle(said.log)
        #expect(once.isEmpty)
    }

    @Test func `What was said by who has gone is not kept`() {
        var queue = WordQueue()
        let said = [arrival(1, by: 3), arrival(1, by: 4)]
        let log = said[0].log
        queue.hold(log)
        for word in said { queue.postpone(word.mark, of: word.session) }
        _ = queue.drop(SessionID(raw: 3))
        let kept = queue.settle(log)
        #expect(kept.map(\.0) == [SessionID(raw: 4)])
    }
}
