import Entries

/// What a peer asked for and has not got yet.
struct Serving {
    var wants = Turns<RangeWant>()
    var places = Queue<BodyPlace>()
    /// The question that the store is answering; one at a time, so that a slow peer holds one answer in memory.
    var reading: Reading?
    var prefixes = Queue<PrefixQuestion>()
    var nodes = Queue<NodesQuestion>()
    /// What the store answered with more of the own log than was told of here yet: asked again once it was.
    private(set) var early = Early()
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

    struct Early {
        fileprivate(set) var wants: [Turns<RangeWant>.Ticket] = []
        fileprivate(set) var prefixes: [PrefixQuestion] = []

        var isEmpty: Bool { wants.isEmpty && prefixes.isEmpty }
    }

    /// Questions that are answered with entries, and wait.
    var wantsCount: Int { wants.count + early.wants.count }
    /// Questions that are answered with nodes of trees, and wait.
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

    /// What was put off waits for its turn again.
    mutating func resume() {
        wants.putBack(early.wants)
        prefixes.append(contentsOf: early.prefixes)
        early = Early()
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

    /// The next question to the store about a tree: what that brings takes no credit, and is small.
    mutating func nextProof(_ request: RequestID) -> Reading? {
        guard reading == nil else { return nil }
        if let question = prefixes.popFirst() {
            reading = .prefix(request, question)
        } else if let question = nodes.popFirst() {
            reading = .nodes(request, question)
        }
        return reading
    }

    /// Whether there is something to read, and credit for it.
    var isWaiting: Bool {
        reading == nil && held.isEmpty && credit >= Limits.readableCreditBytes && !(places.isEmpty && wants.isEmpty)
    }

    /// The next question to the store about entries and bodies, of which `most` bytes are to be read.
    mutating func nextReading(_ request: RequestID, atMost most: Int) -> (reading: Reading, byteLimit: Int)? {
        guard isWaiting else { return nil }
        let limit = Int(min(credit / 2, UInt64(most)))
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
