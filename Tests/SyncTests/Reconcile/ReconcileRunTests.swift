import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Runs of stages, both sides against each other, without a node around them.
struct ReconcileRunTests {
    private func items(_ numbers: Range<UInt32>) -> [TimedItem] {
        numbers.map { number in
            let id = Author.bytes(UInt64(number), "item")
            return TimedItem(seconds: UInt32(truncatingIfNeeded: id.prefix64), log: number, id: id)
        }
    }

    private struct Stage {
        var rounds = 0
        var longest = 0
        var have: [UInt32] = []
        var need: Set<UInt32> = []
        var progress = ReconcileAsker.Progress.asking
    }

    /// One stage to its end.
    private func run(
        _ asker: inout ReconcileAsker,
        _ answerer: inout ReconcileAnswerer,
        _ stage: ReconcileStage,
        _ first: FingerprintTree,
        _ second: FingerprintTree
    ) throws -> Stage {
        var result = Stage()
        var next: Reconcile? = asker.begin(stage, first, now: 0)
        while let question = next {
            result.rounds += 1
            try answerer.ask(question, now: 0)
            let answer = try #require(try answerer.answer(second, now: 0))
            result.longest = max(result.longest, question.message.count, answer.message.count)
            let (items, more) = try asker.answer(answer)
            if let items {
                result.need.formUnion(try answerer.logs(items, now: 0))
                try asker.answered(Items(stage: items.stage, logs: [], end: .last)) { _ in 0 }
            }
            next = more
        }
        let finished = try #require(asker.finished)
        result.have = finished.have
        result.progress = finished.progress
        asker.end(finished, count: first.count, now: 0)
        let end: Items.End = finished.progress == .givenUp ? .givenUp : .last
        let isWhole = try answerer.heard(Items(stage: finished.number, logs: [], end: end), now: 0)
        #expect(isWhole == (stage == .whole && finished.progress == .finished))
        #expect(answerer.isIdle)
        return result
    }

    @Test func `Frames are limited`() throws {
        // 6,000 ids in one range are two frames.
        let first = FingerprintTree(items(0..<100))
        let second = FingerprintTree(items(50..<6_050))
        var asker = ReconcileAsker()
        var answerer = ReconcileAnswerer()
        let stage = try run(&asker, &answerer, .whole, first, second)
        #expect(Set(stage.have) == Set(0..<50))
        #expect(stage.need == Set(100..<6_050))
        #expect(stage.longest <= Limits.reconciliationMessageBytes)
        #expect(stage.rounds > 1)
        #expect(asker.isIdle)
    }

    @Test func `Too many differences are given up`() throws {
        let first = FingerprintTree(items(0..<1_000))
        let second = FingerprintTree(items(1_000..<80_000))
        var asker = ReconcileAsker()
        var answerer = ReconcileAnswerer()
        let stage = try run(&asker, &answerer, .whole, first, second)
        #expect(stage.progress == .givenUp)
        #expect(stage.need.count + stage.have.count > Limits.reconciliationFindings)
        #expect(stage.need.count + stage.have.count < Limits.reconciliationFindings + 2 * Limits.reconciliationIDs)
    }

    @Test func `A list of nothing is not told everything`() throws {
        let limit = UInt32(Limits.reconciliationFindings)
        for count in [limit, limit + 1] {
            let tree = FingerprintTree(items(0..<count))
            var asker = ReconcileAsker()
            _ = asker.begin(.whole, tree, now: 0)
            let (items, next) = try asker.answer(Reconcile(stage: 1, round: 1, message: [0x61, 0, 0, 2, 0]))
            #expect(items == nil && next == nil)
            let finished = try #require(asker.finished)
            #expect(finished.have.count == limit)
            #expect(finished.progress == (count > limit ? .givenUp : .finished))
        }
    }

    @Test func `What was not compared is not asked for`() throws {
        let all = items(0..<UInt32(Limits.reconciliationFindings + 500))
        var asker = ReconcileAsker()
        _ = asker.begin(.whole, FingerprintTree(all), now: 0)
        // The last is here too; but that is not known when the comparison ends.
        let last = try #require(all.max())
        let list = [0x61, 0, 0, 2, 1] + last.id.bytes
        #expect(try asker.answer(Reconcile(stage: 1, round: 1, message: list)).items == nil)
    }

    @Test func `A stage is paid for by time`() throws {
        let tree = FingerprintTree(items(0..<5_000))
        var answerer = ReconcileAnswerer()
        let everything = [0x61, 0, 0, 2, 0] as [UInt8]
        for round in 1...100 as ClosedRange<UInt32> {
            try answerer.ask(Reconcile(stage: 1, round: round, message: everything), now: 1_000)
            // Within a stage nothing waits.
            #expect(answerer.opensAt <= 1_000)
            let answer = try #require(try answerer.answer(tree, now: 1_000))
            #expect(answer.message.count > 130_000)
        }
        _ = try answerer.heard(Items(stage: 1, logs: [], end: .last), now: 1_000)
        // 13 MB at half a megabyte a second, less the 16 seconds that are free.
        #expect((9_000...11_000).contains(answerer.opensAt), "\(answerer.opensAt)")
    }

    @Test func `The newest are first`() throws {
        let all = items(0..<20_000)
        let first = FingerprintTree(all)
        var second = first
        // Three logs went on: each is at an old place there, and here at a new one.
        let changed = all.sorted().prefix(3)
        for old in changed {
            let isGone = second.remove(old)
            #expect(isGone)
            second.insert(TimedItem(seconds: .max, log: old.log, id: Author.bytes(UInt64(old.log), "new")))
        }
        var asker = ReconcileAsker()
        var answerer = ReconcileAnswerer()
        var own = first
        var found: [Int] = []
        var stage: ReconcileStage? = .first(of: own.count)
        while let present = stage {
            let result = try run(&asker, &answerer, present, own, second)
            found.append(result.need.count + result.have.count)
            for old in changed where result.need.contains(old.log) {
                let isGone = own.remove(old)
                #expect(isGone)
                own.insert(TimedItem(seconds: .max, log: old.log, id: Author.bytes(UInt64(old.log), "new")))
            }
            if case .applying(let next, _) = asker.state { stage = next } else { stage = nil }
        }
        // The newest have them, the next stage sees nothing more, and the whole is equal.
        #expect(found == [3, 0, 0])
        #expect(own.sum == second.sum)
    }

    @Test func `Stages widen`() {
        #expect(ReconcileStage.first(of: 1_024) == .whole)
        #expect(ReconcileStage.first(of: 1_025) == .newest(1_024))
        #expect(ReconcileStage.newest(1_024).next(found: 1, of: 10_000) == .newest(8_192))
        #expect(ReconcileStage.newest(1_024).next(found: 0, of: 10_000) == .whole)
        #expect(ReconcileStage.newest(8_192).next(found: 5, of: 10_000) == .whole)
        #expect(ReconcileStage.whole.next(found: 5, of: 10_000) == nil)
        #expect(ReconcileStage.newest(1_024).start(of: 3_000) == 1_976)
    }
}
