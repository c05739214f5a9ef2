internal import Entries
internal import Simulation
internal import Sodium
@testable internal import Sync

/// Both sides of a reconciliation, and the machines above them, over what nobody would say.
enum NegentropyFuzz {
    private static let trees: [FingerprintTree] = [0, 1, 3, 31, 32, 33, 200, 3_000].map { count in
        FingerprintTree(
            (0..<count).map { place in
                // Few times, so that bounds with prefixes are met.
                let id = Author.bytes(UInt64(place), "item")
                return TimedItem(seconds: UInt32(place / 40), log: UInt32(place), id: id)
            }
        )
    }

    static func run(_ input: inout FuzzInput) {
        let flags = input.byte()
        let tree = trees[Int(flags & 7)]
        let limit = flags & 8 == 0 ? 4_096 : Limits.reconciliationFrameBytes
        if flags & 16 == 0 {
            exchange(input.all(), over: Negentropy(tree, frameLimit: limit), limit)
        } else if flags & 32 == 0 {
            answer(&input, tree)
        } else {
            ask(&input, tree)
        }
    }

    /// A message for either side, whose answer an honest other side reads, and so on.
    private static func exchange(_ bytes: [UInt8], over items: Negentropy, _ limit: Int) {
        guard let ranges = try? NegentropyReader.ranges(bytes) else { return }
        if written(ranges) != bytes { broken("a message has a second spelling") }
        var message = bytes
        let other = Negentropy(trees[5], frameLimit: limit)
        for round in 0..<12 {
            let reply: [UInt8]?
            if round % 2 == 0 {
                guard let answer = try? items.answer(message) else { broken("an own message is refused") }
                reply = answer.message
                check(answer.listed, within: items.items)
            } else {
                guard let step = try? other.next(message, findingAtMost: 100) else {
                    broken("an own message is refused")
                }
                reply = step.message
                check(step.have, within: other.items)
                if step.have.count > 100 { broken("more was found than was to be") }
                let needed = Set(step.need)
                if needed.count != step.need.count { broken("an item is needed twice") }
            }
            guard let next = reply else { return }
            if next.count > limit + 1_024 { broken("a message of \(next.count) bytes, \(limit) allowed") }
            message = next
        }
    }

    /// Questions of a dialler, one after another.
    private static func answer(_ input: inout FuzzInput, _ tree: FingerprintTree) {
        var side = ReconcileAnswerer()
        var now: UInt64 = 0
        while !input.isAtEnd {
            now += UInt64(input.byte())
            let (stage, round) = (UInt32(input.byte()), UInt32(input.byte()))
            switch input.byte() % 4 {
            case 0, 1:
                let message = input.take(input.short())
                do throws(SyncViolation) {
                    try side.ask(Reconcile(stage: stage, round: round, message: message), now: now)
                    guard let answer = try side.answer(tree, now: now) else { broken("no answer") }
                    if answer.message.count > Limits.reconciliationMessageBytes { broken("too long an answer") }
                } catch {
                    return
                }
            case 2:
                let ids = (0..<Int(input.byte() % 8)).map { _ in Author.bytes(UInt64(input.byte()), "item") }
                guard let logs = try? side.logs(ItemsQuestion(stage: stage, ids: ids), now: now) else { return }
                if logs.count != ids.count { broken("not every item was found") }
            default:
                let end = Items.End(rawValue: UInt32(input.byte() % 3)) ?? .last
                guard (try? side.heard(Items(stage: stage, logs: [], end: end), now: now)) != nil else { return }
            }
        }
    }

    /// Answers to a dialler, one after another.
    private static func ask(_ input: inout FuzzInput, _ tree: FingerprintTree) {
        var side = ReconcileAsker()
        var stage = 0
        while !input.isAtEnd {
            if side.isIdle || input.byte() == 0xFF {
                stage += 1
                let question = side.begin(input.byte() & 1 == 0 ? .whole : .newest(32), tree, now: 0)
                if question.message.count > Limits.reconciliationMessageBytes { broken("too long a question") }
            }
            let round = UInt32(input.byte())
            let message = input.take(input.short())
            do throws(SyncViolation) {
                let next = try side.answer(Reconcile(stage: UInt32(stage), round: round, message: message))
                if let next = next.next, next.message.count > Limits.reconciliationMessageBytes {
                    broken("too long a question")
                }
                let end = Items.End(rawValue: UInt32(input.byte() % 3)) ?? .last
                let items = Items(stage: UInt32(stage), logs: [], end: end)
                if next.items != nil { try side.answered(items) { _ in 0 } }
            } catch {
                return
            }
            if let finished = side.finished { side.end(finished, count: tree.count, now: 0) }
        }
    }

    private static func check(_ found: [TimedItem], within items: FingerprintTree) {
        for item in found {
            let place = items.place(of: NegentropyBound(at: item))
            if place >= items.count || items[place] != item { broken("an item that is not here") }
        }
    }

    private static func written(_ ranges: [NegentropyRange]) -> [UInt8] {
        var writer = NegentropyWriter()
        for range in ranges {
            switch range.content {
            case .skip: writer.append(skipTo: range.end)
            case .fingerprint(let print): writer.append(print, to: range.end)
            case .ids(let ids): writer.append(ids, to: range.end)
            }
        }
        return writer.bytes
    }
}
