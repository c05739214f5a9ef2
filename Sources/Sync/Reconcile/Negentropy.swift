internal import Entries
package import Sodium

/// Set reconciliation by Negentropy V1: messages in, messages out.
///
/// The initiator opens, the responder answers each message with one, and the initiator ends when it has nothing left to
/// ask: it then knows which items only it has, and which only the responder has. The responder keeps no state between
/// messages. (Algorithm and format: `docs/negentropy-protocol-v1.md` of the Negentropy project;
/// `protocol/sync.md` §13.)
package struct Negentropy: Sendable {
    /// A snapshot of the items.
    package let items: FingerprintTree
    /// Bytes that a message should not exceed by much, at least 4,096; nil: no limit.
    private let frameLimit: Int?

    /// Parts that a differing range is split into; one with fewer than two items for each part is listed.
    private static let parts = 16
    /// Bytes left below the frame limit for what a message still needs.
    private static let frameReserve = 200

    package init(_ items: FingerprintTree, frameLimit: Int?) {
        self.items = items
        self.frameLimit = frameLimit.map { max($0, 4_096) }
    }

    /// The initiator's first message, about its items from a place on; those before are skipped.
    package func opening(from place: Int = 0) -> [UInt8] {
        var writer = NegentropyWriter()
        if place > 0, place < items.count {
            writer.append(skipTo: NegentropyBound(between: items[place - 1], items[place]))
        }
        _ = split(min(place, items.count)..<items.count, to: .end, &writer)
        return writer.bytes
    }

    /// What the responder says to one message.
    package struct Answer: Sendable {
        package let message: [UInt8]
        /// The items that it lists.
        package let listed: [TimedItem]
        /// Whether the question covers everything, so that it may begin the whole.
        package let skipsNothing: Bool
    }

    /// What one answer tells the initiator.
    package struct Step: Sendable {
        /// The next question; nil: nothing is left to ask.
        package fileprivate(set) var message: [UInt8]?
        /// The own items that the responder lacks.
        package fileprivate(set) var have: [TimedItem] = []
        /// Ids of the responder's items that are not here.
        package fileprivate(set) var need: [Bytes32] = []
        /// There are more differences than the limit, and the rest of the answer was not read.
        package fileprivate(set) var isCutOff = false
    }

    /// The responder's answer.
    package func answer(_ bytes: [UInt8]) throws(NegentropyError) -> Answer {
        let ranges = try NegentropyReader.ranges(bytes)
        let reply = walk(ranges) { _, places, end, reply in list(places, to: end, &reply) }
        return Answer(
            message: reply.writer.bytes,
            listed: reply.listed,
            // What follows the last bound counts as skipped too.
            skipsNothing: ranges.last?.end == .end && !ranges.contains { $0.content == .skip }
        )
    }

    /// The initiator's next message and findings. At most `limit` items are found that the responder lacks: an empty
    /// list of ids claims that of every item.
    package func next(_ bytes: [UInt8], findingAtMost limit: Int = .max) throws(NegentropyError) -> Step {
        let ranges = try NegentropyReader.ranges(bytes)
        var step = Step()
        let reply = walk(ranges) { ids, places, _, _ in
            compare(places, with: ids, findingAtMost: limit, &step)
        }
        if !reply.writer.isEmpty, !step.isCutOff { step.message = reply.writer.bytes }
        return step
    }

    // MARK: Private

    /// What is said to a message so far.
    private struct Reply {
        var writer = NegentropyWriter()
        var listed: [TimedItem] = []
        /// The bound up to which a Skip is due, but not written yet.
        var skipped: NegentropyBound?
        /// Bytes written before the present range.
        private(set) var mark = 0
        /// Items listed before it.
        private var listedBefore = 0

        mutating func beginRange() {
            mark = writer.count
            listedBefore = listed.count
        }

        mutating func writeSkip() {
            if let bound = skipped { writer.append(skipTo: bound) }
        }

        /// Takes back what was said of the present range.
        mutating func takeBack() {
            writer.cut(to: mark)
            listed.removeSubrange(listedBefore...)
        }
    }

    /// What becomes of a range whose items the other side has listed.
    private enum Listing {
        /// It was compared, and needs no answer.
        case compared
        /// The own items before this place were listed.
        case listed(upTo: Int)
        /// Nothing more is read.
        case cutOff
    }

    /// Goes through a message and writes what is said to it. What differs between the two sides is what becomes of a
    /// range whose items the other side has listed: `onList` is given these, the range's own places, and its bound.
    private func walk(
        _ ranges: [NegentropyRange],
        onList: ([Bytes32], Range<Int>, NegentropyBound, inout Reply) -> Listing
    ) -> Reply {
        var reply = Reply()
        var start = 0
        for range in ranges {
            var end = items.place(of: range.end)
            var isKept = false
            reply.beginRange()
            switch range.content {
            case .skip:
                reply.skipped = range.end
            case .fingerprint(let theirs):
                if items.sum(of: start..<end).fingerprint == theirs {
                    reply.skipped = range.end
                } else {
                    reply.writeSkip()
                    let listed = split(start..<end, to: range.end, &reply.writer)
                    reply.listed.append(contentsOf: listed)
                }
            case .ids(let theirs):
                switch onList(theirs, start..<end, range.end, &reply) {
                case .compared: reply.skipped = range.end
                case .listed(let place): (end, isKept) = (place, true)
                case .cutOff: return reply
                }
            }
            // Behind a complete list to the end nothing is left to compare, and nothing may follow.
            let isLast = isKept && range.end == .end && end == items.count
            if isFull(reply.writer.count), !isLast {
                if !isKept { reply.takeBack() }
                // The other side splits the remaining range, and both continue from there.
                let rest = (isEmpty(range) ? start : end)..<items.count
                reply.writer.append(items.sum(of: rest).fingerprint, to: .end)
                break
            }
            if reply.writer.count > reply.mark { reply.skipped = nil }
            start = end
        }
        return reply
    }

    /// Whether the other side has nothing in the range.
    ///
    /// A range that is cut off is left out of the fingerprint of the rest, as in the reference: items that the other
    /// side has in it make the two differ all the same. If it has none, the fingerprints could agree, and the range
    /// would be lost.
    private func isEmpty(_ range: NegentropyRange) -> Bool {
        range.content == .fingerprint(FingerprintSum().fingerprint)
    }

    private func isFull(_ count: Int) -> Bool {
        frameLimit.map { count > $0 - Self.frameReserve } ?? false
    }

    /// Writes a range: ids if there are few, else the fingerprints of sixteen parts.
    ///
    /// - Returns: the items listed.
    private func split(_ places: Range<Int>, to end: NegentropyBound, _ writer: inout NegentropyWriter) -> [TimedItem] {
        guard places.count >= 2 * Self.parts else {
            let listed = items(at: places)
            writer.append(listed.map(\.id), to: end)
            return listed
        }
        var start = places.lowerBound
        for part in 0..<Self.parts {
            let count = places.count / Self.parts + (part < places.count % Self.parts ? 1 : 0)
            let next = start + count
            let bound = next == places.upperBound ? end : NegentropyBound(between: items[next - 1], items[next])
            writer.append(items.sum(of: start..<next).fingerprint, to: bound)
            start = next
        }
        return []
    }

    /// Lists a range for the initiator, up to the frame limit.
    private func list(_ places: Range<Int>, to end: NegentropyBound, _ reply: inout Reply) -> Listing {
        reply.writeSkip()
        var listed: [TimedItem] = []
        var bound = end
        let written = reply.mark
        items.visit(places) { item in
            guard !isFull(written + listed.count * Bytes32.count) else {
                bound = NegentropyBound(at: item)
                return false
            }
            listed.append(item)
            return true
        }
        reply.writer.append(listed.map(\.id), to: bound)
        reply.listed.append(contentsOf: listed)
        return .listed(upTo: places.lowerBound + listed.count)
    }

    /// Finds the items that only one side has, unless there are too many.
    private func compare(
        _ places: Range<Int>,
        with ids: [Bytes32],
        findingAtMost limit: Int,
        _ step: inout Step
    ) -> Listing {
        var theirs = Set(ids)
        items.visit(places) { item in
            guard theirs.remove(item.id) == nil else { return true }
            step.isCutOff = step.have.count >= limit
            if !step.isCutOff { step.have.append(item) }
            return !step.isCutOff
        }
        // Ids that were not reached may be here as well.
        guard !step.isCutOff else { return .cutOff }
        // In the order of the list, whatever the order of the set.
        for id in ids where theirs.remove(id) != nil { step.need.append(id) }
        return .compared
    }

    private func items(at places: Range<Int>) -> [TimedItem] {
        var found: [TimedItem] = []
        found.reserveCapacity(places.count)
        items.visit(places) { item in
            found.append(item)
            return true
        }
        return found
    }
}
