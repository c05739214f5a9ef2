internal import Entries
package import Sodium

/// Set reconciliation by Negentropy V1: messages in, messages out.
///
/// The initiator opens, the responder answers each message with one, and the initiator ends when it has nothing left to
/// ask: it then knows which items only it has, and which only the responder has. The responder keeps no state between
/// messages. (Algorithm and format: `docs/negentropy-protocol-v1.md` of the Negentropy project;
/// `protocol/sync.md §13`.)
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

    /// The result of one message.
    package struct Outcome: Sendable {
        /// The message to send; nil: the initiator has nothing left to ask.
        package var message: [UInt8]?
        /// The initiator's own items that the responder lacks.
        package var have: [TimedItem] = []
        /// The initiator's: ids of the responder's items that it lacks.
        package var need: [Bytes32] = []
        /// The responder's: the items that it listed.
        package var listed: [TimedItem] = []
        /// The initiator's: there are more differences than its limit, and the rest of the message was not read.
        package var isCutOff = false
        /// The responder's: the message covers everything, so it may begin the whole.
        package var skipsNothing = false

        package init() {}
    }

    /// The responder's answer.
    package func answer(_ bytes: [UInt8]) throws(NegentropyError) -> Outcome {
        try respond(to: NegentropyReader.ranges(bytes), as: .responder)
    }

    /// The initiator's next message and findings. At most `limit` items are found that the responder lacks: an empty
    /// list of ids claims that of every item.
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
        /// The bound up to which a Skip is due, but not written yet.
        var skipped: NegentropyBound?
        var start = 0
        // What follows the last bound counts as skipped too.
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
            // Behind a complete list to the end nothing is left to compare, and nothing may follow.
            let isLast = isKept && range.end == .end && end == items.count
            if isFull(writer.count), !isLast {
                if !isKept {
                    writer.cut(to: mark)
                    outcome.listed.removeSubrange(listedBefore...)
                }
                // The other side splits the remaining range, and both continue from there.
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
    ///
    /// - Returns: the place behind the last item listed.
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

    /// Finds the items that only one side has; false if there are too many.
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
        // Ids that were not reached may be here as well.
        guard !outcome.isCutOff else { return false }
        // In the order of the list, whatever the order of the set.
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
