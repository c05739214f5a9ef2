import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Both roles against each other.
struct NegentropyTests {
    private func items(_ numbers: Range<UInt64>, times: UInt64) -> [TimedItem] {
        numbers.map { number in
            let id = Author.bytes(number, "item")
            return TimedItem(seconds: UInt32(id.prefix64 % times), log: UInt32(number), id: id)
        }
    }

    private struct Result {
        var have: Set<Bytes32> = []
        var need: Set<Bytes32> = []
        var listed: Set<Bytes32> = []
        var longest = 0
        var rounds = 0
    }

    private func reconcile(_ first: [TimedItem], _ second: [TimedItem], limit: Int?, from place: Int = 0) throws
        -> Result
    {
        let initiator = Negentropy(FingerprintTree(first), frameLimit: limit)
        let responder = Negentropy(FingerprintTree(second), frameLimit: limit)
        var result = Result()
        var message: [UInt8]? = initiator.opening(from: place)
        while let question = message, result.rounds < 1_000 {
            let answer = try responder.answer(question)
            result.longest = max(result.longest, question.count, answer.message.count)
            result.rounds += 1
            result.listed.formUnion(answer.listed.map(\.id))
            let step = try initiator.next(answer.message)
            result.have.formUnion(step.have.map(\.id))
            result.need.formUnion(step.need)
            message = step.message
        }
        return result
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `The initiator learns what is different`(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let times = [1, 10, 1 << 31][Int(seed) % 3] as UInt64
        let common = items(0..<(chance.next() % 3_000), times: times)
        let mine = items(10_000..<10_000 + chance.next() % 300, times: times)
        let theirs = items(20_000..<20_000 + chance.next() % 300, times: times)
        for limit in [nil, 4_096, 20_000] {
            let result = try reconcile(common + mine, common + theirs, limit: limit)
            #expect(result.have == Set(mine.map(\.id)), "seed \(seed), limit \(limit ?? 0)")
            #expect(result.need == Set(theirs.map(\.id)), "seed \(seed), limit \(limit ?? 0)")
            #expect(result.listed.isSuperset(of: result.need))
            if let limit { #expect(result.longest <= limit + 300, "seed \(seed)") }
        }
    }

    @Test func `A stage skips what lies before it`() throws {
        let times: UInt64 = 1 << 31
        let common = items(0..<2_000, times: times).sorted()
        let responder = common + items(5_000..<5_050, times: times)
        let start = 1_500
        let result = try reconcile(common, responder, limit: nil, from: start)
        let later = items(5_000..<5_050, times: times).filter { $0.seconds >= common[start].seconds }
        #expect(result.need == Set(later.map(\.id)))
        #expect(!later.isEmpty && later.count < 50)
        let answer = try Negentropy(FingerprintTree(responder), frameLimit: nil)
            .answer(Negentropy(FingerprintTree(common), frameLimit: nil).opening(from: start))
        #expect(!answer.skipsNothing)
    }

    @Test func `An empty list does not fetch everything at once`() throws {
        let all = Negentropy(FingerprintTree(items(0..<20_000, times: 1 << 31)), frameLimit: 4_096)
        let answer = try all.answer([0x61, 0, 0, 2, 0])
        #expect(answer.message.count <= 4_096 + 100)
        #expect(answer.listed.count < 130)
    }

    @Test func `What does not fit beside an empty range is not lost`() throws {
        // The other side: a full list, and then nothing at all to the end.
        let all = items(0..<140, times: 1 << 31).sorted()
        let responder = Negentropy(FingerprintTree(all), frameLimit: 4_096)
        for width in 100..<140 {
            var writer = NegentropyWriter()
            writer.append([], to: NegentropyBound(at: all[width]))
            writer.append(FingerprintSum().fingerprint, to: .end)
            let answer = try responder.answer(writer.bytes)
            let initiator = Negentropy(FingerprintTree([]), frameLimit: nil)
            let first = try initiator.next(answer.message)
            var need = Set(first.need)
            var message = first.message
            while let question = message {
                let step = try initiator.next(try responder.answer(question).message)
                need.formUnion(step.need)
                message = step.message
            }
            #expect(need.count == 140, "\(width)")
        }
    }

    /// The length of the list that fills a message is met by one count in each case.
    @Test(arguments: [(4_085..<4_100, 131_072), (110..<130, 4_096)])
    func `Behind a list to the end nothing stands`(counts: Range<Int>, limit: Int) throws {
        for count in counts {
            let all = items(0..<UInt64(count), times: 1 << 31)
            let responder = Negentropy(FingerprintTree(all), frameLimit: limit)
            let initiator = Negentropy(FingerprintTree([]), frameLimit: limit)
            var need: Set<Bytes32> = []
            var message: [UInt8]? = [0x61, 0, 0, 2, 0]
            while let question = message {
                let answer = try responder.answer(question).message
                let ends = try NegentropyReader.ranges(answer).count { $0.end == .end }
                #expect(ends <= 1, "\(count)")
                let step = try initiator.next(answer)
                need.formUnion(step.need)
                message = step.message
            }
            #expect(need.count == count)
        }
    }
}
