import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct RequestsTests {
    private let log = LogID(raw: Author.bytes(1, "log"))
    private let first = SessionID(raw: 1)
    private let second = SessionID(raw: 2)

    private func chunk(start: UInt64, count: UInt64, size: UInt64) throws -> UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: nil,
            start: start,
            count: count,
            size: size,
            signature: try #require(Signature([UInt8](repeating: 0, count: 64))),
            entries: [],
            right: []
        )
    }

    @Test func `A log is asked of one peer at a time`() {
        var requests = Requests(durable: [], now: 0)
        _ = requests.offer(LogSize(log: log, size: 5), by: first, epoch: nil)
        _ = requests.offer(LogSize(log: log, size: 9), by: second, epoch: nil)
        #expect(requests.isAskable(log, of: first, held: 0))
        #expect(!requests.isAskable(log, of: first, held: 5))
        #expect(requests.isAskable(log, of: second, held: 5))
        requests.ask(log, of: first, from: 0, owner: nil)
        #expect(!requests.isAskable(log, of: second, held: 0))
        #expect(requests.askedCount(first) == 1)
    }

    @Test func `While somebody is asked for long, who was asked in vain has its turn again in the end`() {
        var requests = Requests(durable: [], now: 0)
        for session in [first, second] { _ = requests.offer(LogSize(log: log, size: 9), by: session, epoch: nil) }
        requests.noteLack(log, of: first)
        requests.ask(log, of: second, from: 0, owner: nil)
        for _ in 0..<Limits.lackLooksWhileAsked {
            let passed = requests.passLacks(limit: 9)
            #expect(passed.isEmpty && requests.hasLacks)
        }
        let passed = requests.passLacks(limit: 9)
        #expect(passed == [log] && !requests.hasLacks)
        #expect(requests.isMoreOffered(log, than: 5, except: second))
    }

    @Test func `More is offered by whoever was not asked for it in vain`() {
        var requests = Requests(durable: [], now: 0)
        _ = requests.offer(LogSize(log: log, size: 9), by: first, epoch: nil)
        _ = requests.offer(LogSize(log: log, size: 99), by: second, epoch: nil)
        let before = [
            requests.isMoreOffered(log, than: 9, except: first), requests.isMoreOffered(log, than: 99, except: first),
            requests.isMoreOffered(log, than: 9, except: second),
        ]
        #expect(before == [true, false, false])
        requests.noteLack(log, of: second)
        #expect(!requests.isMoreOffered(log, than: 9, except: first))
    }

    @Test func `Who was asked in vain comes behind the others`() {
        var requests = Requests(durable: [], now: 0)
        for session in [first, second] { _ = requests.offer(LogSize(log: log, size: 9), by: session, epoch: nil) }
        requests.noteLack(log, of: first)
        _ = requests.withdraw(log, by: first, at: 0)
        _ = requests.offer(LogSize(log: log, size: 9), by: first, epoch: nil)
        #expect(!requests.isAskable(log, of: first, held: 0))
        #expect(requests.isAskable(log, of: second, held: 0))
        #expect(requests.isAskable(log, of: first, held: 9) == requests.isAskable(log, of: second, held: 9))
        // The other one has its turn, lacks it too, or goes.
        var (both, alone) = (requests, requests)
        both.noteLack(log, of: second)
        #expect(both.isAskable(log, of: first, held: 0) && !both.isAskable(log, of: second, held: 0))
        both.noteLack(log, of: first)
        #expect(!both.isAskable(log, of: first, held: 0) && both.isAskable(log, of: second, held: 0))
        _ = alone.withdrawAll(by: second, at: 0)
        #expect(alone.isAskable(log, of: first, held: 0))
        // Those that come before it may not answer at all: soon it is asked all the same, but not while one is asked.
        var later = requests
        later.ask(log, of: second, from: 0, owner: nil)
        let early = later.passLacks(limit: 9)
        let wasAsked = later.lacks(log, second, at: 0)
        #expect(early.isEmpty && wasAsked && later.hasLacks && !later.isAskable(log, of: first, held: 0))
        let passed = later.passLacks(limit: 9)
        #expect(passed == [log] && later.isAskable(log, of: first, held: 0))
        let none = later.passLacks(limit: 9)
        #expect(none.isEmpty && !later.hasLacks)
        // However often they say so.
        for _ in 0..<500 {
            for session in [first, second] {
                later.noteLack(log, of: session)
                _ = later.withdraw(log, by: session, at: 0)
            }
            #expect(!later.hasLacks)
            for session in [first, second] { _ = later.offer(LogSize(log: log, size: 9), by: session, epoch: nil) }
        }
        later.noteLack(log, of: first)
        let once = later.passLacks(limit: 1_000)
        #expect(once == [log])
        // A session that comes after it is another.
        _ = requests.withdrawAll(by: first, at: 0)
        _ = requests.offer(LogSize(log: log, size: 9), by: first, epoch: nil)
        #expect(requests.isAskable(log, of: first, held: 0))
    }

    @Test func `An answer is what follows on`() throws {
        var requests = Requests(durable: [], now: 0)
        _ = requests.offer(LogSize(log: log, size: 9), by: first, epoch: nil)
        requests.ask(log, of: first, from: 2, owner: nil)
        let chunks = try [(3, 1), (2, 1), (2, 3), (5, 4)].map { try chunk(start: $0.0, count: $0.1, size: 9) }
        let isFar = requests.isAnswer(chunks[0], from: first, now: 0)
        let isForeign = requests.isAnswer(chunks[1], from: second, now: 0)
        #expect(!isFar && !isForeign)
        let isFirst = requests.isAnswer(chunks[2], from: first, now: 0)
        #expect(isFirst && requests.askedCount(first) == 1)
        let isLast = requests.isAnswer(chunks[3], from: first, now: 0)
        #expect(isLast && requests.askedCount(first) == 0)
    }

    @Test func `What is pushed meanwhile is no end of a late answer`() throws {
        var requests = Requests(durable: [], now: 0)
        _ = requests.offer(LogSize(log: log, size: 5_000), by: first, epoch: nil)
        requests.ask(log, of: first, from: 10, owner: nil, extent: .newest(1_024))
        let isPassed = requests.passOn(log, at: 1)
        #expect(isPassed)
        let pushed = try chunk(start: 5_000, count: 1, size: 5_001)
        let isLate = requests.finishLate(pushed, first)
        #expect(!isLate && requests.isPassedOn(log, of: first))
        var answer = try chunk(start: 3_977, count: 500, size: 5_001)
        answer.left = [.zero]
        let isOver = requests.finishLate(answer, first)
        #expect(!isOver)
        let rest = try chunk(start: 4_477, count: 524, size: 5_001)
        let isOverNow = requests.finishLate(rest, first)
        #expect(isOverNow && !requests.isPassedOn(log, of: first))
    }

    @Test func `Who had nothing is forgotten with its session`() {
        var requests = Requests(durable: [LogSize(log: log, size: 9)], now: 0)
        for session in [first, second] {
            _ = requests.offer(LogSize(log: log, size: 9), by: session, epoch: nil)
            requests.fail(log, session)
            requests.fail(log, session)
        }
        #expect(requests.want(log)?.patience?.failed == [first, second])
        #expect(requests.unsuppliedCount == 1)
        _ = requests.withdrawAll(by: first, at: 0)
        #expect(requests.want(log)?.patience?.failed == [second])
        #expect(requests.unsuppliedCount == 1)
    }

    @Test func `What is fulfilled is forgotten`() {
        var requests = Requests(durable: [], now: 0)
        _ = requests.offer(LogSize(log: log, size: 5), by: first, epoch: 3)
        _ = requests.offer(LogSize(log: log, size: 9), by: second, epoch: 4)
        let half = requests.settle(log, at: 6)
        #expect(half.fulfilled.map(\.session) == [first])
        #expect(half.remaining == [second])
        let rest = requests.settle(log, at: 9)
        #expect(rest.fulfilled.map(\.epoch) == [4])
        #expect(requests.count == 0)
    }

    @Test func `A session that ends leaves its logs to others`() {
        var requests = Requests(durable: [], now: 0)
        let other = LogID(raw: Author.bytes(2, "log"))
        for log in [log, other] { _ = requests.offer(LogSize(log: log, size: 5), by: first, epoch: nil) }
        _ = requests.offer(LogSize(log: log, size: 5), by: second, epoch: nil)
        requests.ask(log, of: first, from: 0, owner: nil)
        let orphaned = requests.withdrawAll(by: first, at: 0)
        #expect(orphaned == [log])
        #expect(requests.count == 1)
        #expect(requests.askedCount(first) == 0)
        #expect(requests.isAskable(log, of: second, held: 0))
    }

    @Test func `Patience outlives its offers`() {
        var requests = Requests(durable: [LogSize(log: log, size: 5)], now: 10)
        var due = [requests.due(at: 10)]
        requests.ask(log, of: first, from: 0, owner: nil)
        due.append(requests.due(at: 11))
        let wasAsked = requests.lacks(log, first, at: 11)
        _ = requests.wait(LogSize(log: log, size: 5), from: 11, by: nil)
        let again = Requests.turn(after: 0, from: 11)
        due.append(requests.due(at: again - 1))
        due.append(requests.due(at: again))
        #expect(due == [[log], [], [], [log]])
        #expect(wasAsked)
        _ = requests.settle(log, at: 5)
        #expect(requests.count == 0)
    }

    /// Who is asked may fall out of it without a word: by a dispute, a quota, or its end.
    @Test(arguments: [false, true])
    func `What is wanted patiently has its next turn`(isGone: Bool) {
        var requests = Requests(durable: [LogSize(log: log, size: 5)], now: 10)
        _ = requests.due(at: 10)
        requests.ask(log, of: first, from: 0, owner: nil)
        if isGone {
            _ = requests.withdrawAll(by: first, at: 20)
        } else {
            _ = requests.lacks(log, first, at: 20)
        }
        let again = Requests.turn(after: 0, from: 20)
        #expect(requests.nextDue == again)
        let due = [requests.due(at: again - 1), requests.due(at: again)]
        #expect(due == [[], [log]])
    }

    @Test func `A want that had to wait for somebody is looked at when one has gone`() {
        var requests = Requests(durable: [LogSize(log: log, size: 5)], now: 10)
        let due = requests.due(at: 10)
        requests.holdUp(until: 60_010)
        let before = requests.nextDue
        _ = requests.withdrawAll(by: first, at: 20)
        #expect(due == [log] && before == 60_010 && requests.nextDue == 20)
        let again = requests.due(at: 20)
        requests.lookAgain(at: 5_000)
        _ = requests.withdrawAll(by: second, at: 30)
        #expect(again == [log] && requests.nextDue == 5_000, "each look goes through all of them")
    }

    /// However many there are: each look goes through all of them.
    @Test func `Turns come in lots`() {
        for (attempts, delay) in [(0, 1_000), (1, 2_000), (4, 16_000), (40, 86_400_000)] as [(Int, UInt64)] {
            let turns = (0..<delay).filter { $0 % 7 == 0 || delay < 10_000 }.prefix(100_000)
                .map { (now: $0, turn: Requests.turn(after: attempts, from: $0)) }
            #expect(turns.allSatisfy { $0.turn >= $0.now + delay && $0.turn < $0.now + delay + delay / 8 })
            #expect(Set(turns.map(\.turn)).count <= 9)
        }
    }

    @Test func `Only a turn is an attempt`() {
        var requests = Requests(durable: [], now: 0)
        let item = LogSize(log: log, size: 5)
        _ = requests.wait(item, from: 0, by: nil)
        for now in 1..<100 { _ = requests.wait(item, from: UInt64(now), by: nil) }
        #expect(requests.want(log)?.patience?.attempts == 1)
        let due = Requests.turn(after: 0, from: 0)
        #expect(requests.due(at: due) == [log])
        _ = requests.wait(item, from: due, by: nil)
        #expect(requests.want(log)?.patience?.attempts == 2)
        let next = Requests.turn(after: 1, from: due)
        #expect(requests.due(at: next - 1).isEmpty)
        #expect(requests.due(at: next) == [log])
    }

    @Test func `What is lost has its turn soon`() {
        var requests = Requests(durable: [], now: 0)
        let item = LogSize(log: log, size: 5)
        var now: UInt64 = 0
        for _ in 0..<9 {
            _ = requests.wait(item, from: now, by: nil)
            now = requests.want(log)?.patience?.due ?? now
        }
        _ = requests.wait(item, from: now, by: nil)
        let soon = Requests.turn(after: 0, from: now)
        #expect(requests.due(at: soon).isEmpty)
        _ = requests.wait(item, from: now, by: nil, behind: 1)
        #expect(requests.due(at: soon) == [log])
    }

    @Test func `The table is bounded`() {
        var requests = Requests(durable: [], now: 0)
        for number in 0..<Limits.wantedLogsCount {
            var raw = Bytes32()
            raw.withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number), as: UInt64.self) }
            _ = requests.offer(LogSize(log: LogID(raw: raw), size: 1), by: first, epoch: nil)
        }
        let one = LogSize(log: LogID(raw: Author.bytes(9, "one")), size: 1)
        let outcome = requests.offer(one, by: first, epoch: nil)
        #expect(outcome == .refused)
    }

    @Test func `What nobody has takes no room from offers`() {
        var requests = Requests(durable: [], now: 0)
        let source = NodeID(raw: Author.bytes(1, "node"))
        var isNoted: [Bool] = []
        for number in 0...Limits.patientWantsPerPeerCount {
            let log = LogID(raw: Author.bytes(UInt64(number), "log"))
            _ = requests.offer(LogSize(log: log, size: 1), by: first, epoch: nil)
            requests.ask(log, of: first, from: 0, owner: nil)
            _ = requests.lacks(log, first, at: 0)
            _ = requests.withdraw(log, by: first, at: 0)
            isNoted.append(requests.wait(LogSize(log: log, size: 1), from: 9, by: source))
        }
        #expect(isNoted.last == false && isNoted.dropLast().allSatisfy { $0 })
        #expect(requests.due(at: Requests.turn(after: 0, from: 9)).count == Limits.patientWantsPerPeerCount)
        requests.giveUp(LogID(raw: Author.bytes(0, "log")))
        #expect(requests.count == Limits.patientWantsPerPeerCount - 1)
        let isFree = requests.wait(LogSize(log: log, size: 1), from: 9, by: source)
        #expect(isFree)
    }

    @Test func `No session takes up the room of the others`() {
        var requests = Requests(durable: [], now: 0)
        var counts: [Int] = []
        // Each of three offers as much as it may.
        for session in [first, second, SessionID(raw: 3)] {
            var count = 0
            while count <= Limits.wantedLogsCount {
                let item = LogSize(log: LogID(raw: Author.bytes(UInt64(count), "log \(session.raw)")), size: 1)
                if requests.offer(item, by: session, epoch: nil) == .refused { break }
                count += 1
            }
            counts.append(count)
        }
        #expect(counts[0] == Limits.wantedLogsCount / 2)
        #expect(counts[1] == Limits.wantedLogsCount / 4)
        #expect(counts[2] == Limits.wantedLogsCount / 8)
        // What somebody offered already takes no room, and what is withdrawn gives it back.
        let shared = LogSize(log: LogID(raw: Author.bytes(0, "log \(first.raw)")), size: 2)
        let again = requests.offer(shared, by: second, epoch: nil)
        #expect(again == .new)
        _ = requests.withdrawAll(by: first, at: 0)
        let more = requests.offer(LogSize(log: log, size: 1), by: second, epoch: nil)
        #expect(more == .new)
    }
}
