import Entries

/// What a peer asked for and has not got yet.
struct Serving {
    var wants = Turns<RangeWant>()
    var places = Queue<BodyPlace>()
    /// The question that the store is answering; one at a time, so that a slow peer holds one answer in memory.
    var reading: Reading?
    var prefixes = Queue<PrefixQuestion>()
    var nodes = Queue<NodesQuestion>()
    /// Messages that wait for credit, in order.
    var held = Queue<Frame>()
    /// Bytes of chunks and bodies that may be sent.
    var credit: UInt64 = 0

    enum Reading {
        case ranges(RequestID, [Turns<RangeWant>.Ticket])
        case bodies(RequestID, [BodyPlace])
        case prefix(RequestID, PrefixQuestion)
        case nodes(RequestID, NodesQuestion)
    }

    /// Questions that are answered with nodes of trees, and wait.
    var proofsCount: Int { prefixes.count + nodes.count }

    var isIdle: Bool {
        wants.isEmpty && places.isEmpty && reading == nil && held.isEmpty && prefixes.isEmpty && nodes.isEmpty
    }

    mutating func allow(_ bytes: UInt64) {
        credit = min(credit &+ min(bytes, Limits.maximumCreditBytes), Limits.maximumCreditBytes)
    }

    /// Pays for messages that go at once, ahead of nobody; false, and nothing paid, if there is not the credit.
    mutating func spend(_ frames: [Frame]) -> Bool {
        let cost = frames.reduce(0) { $0 + $1.creditBytes }
        guard held.isEmpty, cost <= credit else { return false }
        credit -= cost
        return true
    }

    /// What may go now of the messages that wait.
    mutating func releaseHeld() -> [Frame] {
        var frames: [Frame] = []
        while let frame = held.first, frame.creditBytes <= credit {
            credit -= frame.creditBytes
            _ = held.popFirst()
            frames.append(frame)
        }
        return frames
    }

    /// The next question to the store, if there is room for its answer.
    mutating func nextReading(_ request: RequestID) -> (reading: Reading, byteLimit: Int)? {
        guard reading == nil else { return nil }
        // What these bring takes no credit; a node of the tree may have to be made from much.
        if let question = prefixes.popFirst() {
            let next = Reading.prefix(request, question)
            reading = next
            return (next, 0)
        }
        if let question = nodes.popFirst() {
            let next = Reading.nodes(request, question)
            reading = next
            return (next, 0)
        }
        guard held.isEmpty, credit >= Limits.readableCreditBytes else { return nil }
        let limit = Int(min(credit / 2, UInt64(Limits.readBytes)))
        let next: Reading
        if !places.isEmpty {
            next = .bodies(request, places.popFirst(Limits.readWantsCount))
        } else if !wants.isEmpty {
            next = .ranges(request, wants.popFirst(Limits.readWantsCount))
        } else {
            return nil
        }
        reading = next
        return (next, limit)
    }
}
