internal import Entries
package import Sodium

/// Compares one node's items with another's, by the Negentropy V1 protocol: messages in, messages out.
///
/// The initiator opens, the responder answers each message with one, and the initiator ends with nothing left to ask: it
/// knows then which items it has and the responder has not, and the reverse. The responder keeps nothing from one message
/// to the next. (Algorithm and format: `docs/negentropy-protocol-v1.md` of the Negentropy project; `protocol/sync.md §13`.)
package struct Negentropy: Sendable {
    /// The items as they were when the comparison began.
    package let items: FingerprintTree
    /// Bytes that a message should not exceed by much; nil: no limit. At least 4,096.
    private let frameLimit: Int?

    /// A range whose items fall short of two for each part is listed.
    private static let parts = 16
    /// What a message may still grow by when its limit is looked at.
    private static let frameReserve = 200

    package init(_ items: FingerprintTree, frameLimit: Int?) {
        self.items = items
        self.frameLimit = frameLimit.map { max($0, 4_096) }
    }

    /// The initiator's first message, about its items from a place on; what lies before is skipped.
    package func opening(from place: Int = 0) -> [UInt8] {
        var writer = NegentropyWriter()
        if place > 0, place < items.count {
            writer.append(skipTo: NegentropyBound(between: items[place - 1], items[place]))
        }
        _ = split(min(place, items.count)..<items.count, to: .end, &writer)
        return writer.bytes
    }

    /// What came of one message.
    package struct Outcome: Sendable {
        /// The message to send; nil: the initiator has nothing to ask any more.
        package var message: [UInt8]?
        /// The initiator's: own items that the responder lacks, and ids of the responder's that are not here.
        package var have: [TimedItem] = []
        package var need: [Bytes32] = []
        /// The responder's: what it listed.
        package var listed: [TimedItem] = []
        /// The initiator's: it has more than it wanted to hear of, and the rest of the message was not looked at.
        package var isCutOff = false
        /// The responder's: the message speaks of everything, so that it may begin the whole.
        package var skipsNothing = false

        package init() {}
    }

    /// The responder's answer.
    package func answer(_ bytes: [UInt8]) throws(NegentropyError) -> Outcome {
        try respond(to: NegentropyReader.ranges(bytes), as: .responder)
    }

    /// The initiator's next message, and what it has learned: of what the responder lacks no more than `limit` items,
    /// since a list of no ids says that of everything.
    package func next(_ bytes: [UInt8], findingAtMost limit: Int = .max) throws(NegentropyError) -> Outcome {
        var outcome = try respond(to: NegentropyReader.ranges(bytes), as: .initiator, findingAtMost: limit)
        if outcome.message?.count == 1 || outcome.isCutOff { outcome.message = nil }
        return outcome
    }

    // MARK: Private

    private enum Role {
        case initiator
        case responder
    }

    private func respond(to ranges: [NegentropyRange], as role: Role, findingAtMost limit: Int = .max) -> Outcome {
        var outcome = Outcome()
        var writer = NegentropyWriter()
        /// Up to here nothing need be said, and that has not been written yet.
        var skipped: NegentropyBound?
        var start = 0
        // What stands behind the last bound counts as skipped too.
        outcome.skipsNothing = ranges.last?.end == .end && !ranges.contains { $0.content == .skip }
        for range in ranges {
            var end = items.place(of: range.end)
            let mark = writer.count
            var isKept = false
            let listedBefore = outcome.listed.count
            switch range.content {
            case .skip:
                skipped = range.end
            case .fingerprint(let theirs):
                if items.sum(of: start..<end).fingerprint == theirs {
                    skipped = range.end
                } else {
                    if let bound = skipped { writer.append(skipTo: bound) }
                    outcome.listed.append(contentsOf: split(start..<end, to: range.end, &writer))
                }
            case .ids(let theirs):
                switch role {
                case .initiator:
                    skipped = range.end
                    guard compare(start..<end, with: theirs, findingAtMost: limit, &outcome) else { return outcome }
                case .responder:
                    if let bound = skipped { writer.append(skipTo: bound) }
                    end = list(start..<end, to: range.end, after: mark, &writer, &outcome)
                    isKept = true
                }
            }
            // Behind a whole list to the end nothing is left to compare, and nothing may stand.
            let isLast = isKept && range.end == .end && end == items.count
            if isFull(writer.count), !isLast {
                if !isKept {
                    writer.cut(to: mark)
                    outcome.listed.removeSubrange(listedBefore...)
                }
                // The other side splits what remains, and both go on from there.
                let rest = (isEmpty(range) ? start : end)..<items.count
                writer.append(items.sum(of: rest).fingerprint, to: .end)
                break
            }
            if writer.count > mark { skipped = nil }
            start = end
        }
        outcome.message = writer.bytes
        return outcome
    }

    /// The other side has nothing in the range.
    ///
    /// What is cut off is left out of the fingerprint of the rest, as the reference does it: what the other side has there
    /// makes the two differ all the same. Where it has nothing, they could agree, and the range would be lost.
    private func isEmpty(_ range: NegentropyRange) -> Bool {
        range.content == .fingerprint(FingerprintSum().fingerprint)
    }

    private func isFull(_ count: Int) -> Bool {
        frameLimit.map { count > $0 - Self.frameReserve } ?? false
    }

    /// Says what is in a range: ids if there are few, else the fingerprints of sixteen parts.
    ///
    /// - Returns: the items that were listed.
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

    /// Lists a range for the initiator, as far as the frame goes.
    ///
    /// - Returns: the place behind the last that was listed.
    private func list(
        _ places: Range<Int>,
        to end: NegentropyBound,
        after written: Int,
        _ writer: inout NegentropyWriter,
        _ outcome: inout Outcome
    ) -> Int {
        var listed: [TimedItem] = []
        var bound = end
        var place = places.lowerBound
        items.visit(places) { item in
            guard !isFull(written + listed.count * Bytes32.count) else {
                bound = NegentropyBound(at: item)
                return false
            }
            listed.append(item)
            place += 1
            return true
        }
        writer.append(listed.map(\.id), to: bound)
        outcome.listed.append(contentsOf: listed)
        return place
    }

    /// Finds out what one of the two has and the other has not; false if that is too much.
    private func compare(
        _ places: Range<Int>,
        with ids: [Bytes32],
        findingAtMost limit: Int,
        _ outcome: inout Outcome
    ) -> Bool {
        var theirs = Set(ids)
        items.visit(places) { item in
            guard theirs.remove(item.id) == nil else { return true }
            outcome.isCutOff = outcome.have.count >= limit
            if !outcome.isCutOff { outcome.have.append(item) }
            return !outcome.isCutOff
        }
        // What was not looked at may be here as well.
        guard !outcome.isCutOff else { return false }
        // In the order in which they were listed, whatever the order of the set.
        for id in ids where theirs.remove(id) != nil { outcome.need.append(id) }
        return true
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
