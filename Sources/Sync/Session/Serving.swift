import Entries

/// A peer's open requests.
struct Serving {
    var wants = Turns<RangeWant>()
    var places = Queue<BodyPlace>()
    /// The one read that the store is performing for the peer: so a slow peer holds one result in memory.
    var reading: Reading?
    var prefixes = Queue<PrefixQuestion>()
    var nodes = Queue<NodesQuestion>()
    /// Requests whose result reached beyond the own entries that the machine knows of; repeated by `resume`.
    private(set) var early = Early()
    /// Messages that wait for credit, in order.
    var held = Queue<Frame>()
    /// Bytes of Chunks and Bodies that may be sent.
    var credit: UInt64 = 0

    enum Reading {
        case ranges([Turns<RangeWant>.Ticket])
        case bodies([BodyPlace])
        case prefix(PrefixQuestion)
        case nodes(NodesQuestion)
    }

    struct Early {
        fileprivate(set) var wants: [Turns<RangeWant>.Ticket] = []
        fileprivate(set) var prefixes: [PrefixQuestion] = []

        var isEmpty: Bool { wants.isEmpty && prefixes.isEmpty }
    }

    /// Waiting requests for entries.
    var wantsCount: Int { wants.count + early.wants.count }
    /// Waiting requests for compact ranges and tree nodes.
    var proofsCount: Int { prefixes.count + nodes.count + early.prefixes.count }

    var isIdle: Bool {
        wants.isEmpty && places.isEmpty && reading == nil && held.isEmpty && prefixes.isEmpty && nodes.isEmpty
            && early.isEmpty
    }

    mutating func putOff(_ tickets: [Turns<RangeWant>.Ticket]) {
        early.wants += tickets
    }

    mutating func putOff(_ question: PrefixQuestion) {
        early.prefixes.append(question)
    }

    /// Queues the requests again that were put off.
    mutating func resume() {
        wants.putBack(early.wants)
        prefixes.append(contentsOf: early.prefixes)
        early = Early()
    }

    mutating func allow(_ bytes: UInt64) {
        credit = min(credit &+ min(bytes, Limits.maximumCreditBytes), Limits.maximumCreditBytes)
    }

    /// Pays for messages that are sent ahead of the queue; false, and nothing paid, if others wait or the credit does
    /// not suffice.
    mutating func spend(_ frames: [Frame]) -> Bool {
        let cost = frames.reduce(0) { $0 + $1.creditBytes }
        guard held.isEmpty, cost <= credit else { return false }
        credit -= cost
        return true
    }

    /// Takes the waiting messages that the credit covers.
    mutating func releaseHeld() -> [Frame] {
        var frames: [Frame] = []
        while let frame = held.first, frame.creditBytes <= credit {
            credit -= frame.creditBytes
            _ = held.popFirst()
            frames.append(frame)
        }
        return frames
    }

    /// The next read of a compact range or tree nodes, whose answer is small and costs no credit.
    mutating func nextProof() -> Reading? {
        guard reading == nil else { return nil }
        if let question = prefixes.popFirst() {
            reading = .prefix(question)
        } else if let question = nodes.popFirst() {
            reading = .nodes(question)
        }
        return reading
    }

    /// Whether there are entries or bodies to read, and credit for them.
    var isWaiting: Bool {
        reading == nil && held.isEmpty && credit >= Limits.readableCreditBytes && !(places.isEmpty && wants.isEmpty)
    }

    /// The next read of entries or bodies, with its limit: `most` bytes, or half the credit.
    mutating func nextReading(atMost most: Int) -> (reading: Reading, byteLimit: Int)? {
        guard isWaiting else { return nil }
        let limit = Int(min(credit / 2, UInt64(most)))
        let next: Reading
        if !places.isEmpty {
            next = .bodies(places.popFirst(Limits.readWantsCount))
        } else if !wants.isEmpty {
            next = .ranges(wants.popFirst(Limits.readWantsCount))
        } else {
            return nil
        }
        reading = next
        return (next, limit)
    }

    /// Ends the read, since the store has answered, or cannot.
    mutating func endReading() -> Reading? {
        defer { reading = nil }
        return reading
    }
}
