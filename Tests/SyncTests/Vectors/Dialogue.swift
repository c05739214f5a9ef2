import Entries
import Sodium
import TestSupport

@testable import Sync

/// What a stranger says to a node that has nothing, and what is to come of it (`protocol/vectors/near.json`).
struct Dialogue: Decodable {
    struct Said: Decodable {
        struct Again: Decodable {
            let bytes: String
            let times: Int
        }

        let type: UInt8
        let body: String
        /// What follows the body, so many times.
        let `repeat`: Again?
        /// `true`: it comes in one go with the message before.
        let together: Bool?
        /// It is said when the receiver has said a message of this type, since the message before.
        let awaits: UInt8?
        /// It is said over and over for so many seconds before, in which the stranger lacks whatever is wanted.
        let after: UInt64?
        /// How many seconds the stranger listens then, behind the last message.
        let listens: UInt64?

        /// Whether it takes so long that the receiver is to be told what it asks of its own log.
        var isSlow: Bool { awaits != nil || after != nil || listens != nil }

        var frame: Frame {
            let more = `repeat`.map { again in
                Array(repeatElement([UInt8](hex: again.bytes), count: again.times).joined())
            }
            return Frame(type: type, body: [UInt8](hex: body) + (more ?? []))
        }
    }

    let name: String
    /// How the receiver came to the connection: `accepted` or `dialled`; `full`: accepted, and it has as many as it
    /// takes.
    let receiver: String
    /// The identities that the receiver carries; nil: everything.
    let carries: [String]?
    /// What the receiver's Hello allows the stranger, where that matters.
    let credit: UInt64?
    let messages: [Said]
    let verdict: String
    /// What the receiver says after the last message, as far as it is told here.
    let answers: DialogueAnswers?
}

/// What a node said, message by message put together; of a nil nothing is known.
struct DialogueAnswers: Decodable, Equatable {
    struct Want: Decodable, Equatable {
        let log: String
        let from: UInt64
        let certificate: Bool
        /// Whether the newest alone will do.
        let newest: Bool
        /// 0: to the end.
        let until: UInt64
    }

    struct Chunk: Decodable, Equatable {
        let log: String
        let start: UInt64
        let count: UInt64
        let size: UInt64
        let certificate: Bool
        let signature: Bool
        /// Nodes.
        let left: Int
        let right: Int
    }

    struct Size: Decodable, Equatable {
        let log: String
        let size: UInt64
    }

    var wants: [Want]?
    var chunks: [Chunk]?
    var lacking: [String]?
    var lackingBefore: [String]?
    /// Whether each body is there.
    var bodies: [Bool]?
    /// Nodes of each Prefix, and of each Nodes.
    var prefixes: [Int]?
    var nodes: [Int]?
    var ownLogs: [Size]?
    /// Logs that Changes, Comparison or Items name.
    var named: [Size]?
    /// Addresses in each Peers.
    var peers: [Int]?
    /// Items that the last KeepAlive counts.
    var count: UInt64?

    /// Everything that was said.
    init(_ inbox: some Sequence<Message>) {
        wants = []
        chunks = []
        lacking = []
        lackingBefore = []
        bodies = []
        prefixes = []
        nodes = []
        ownLogs = []
        named = []
        peers = []
        for message in inbox { note(message) }
    }

    private mutating func note(_ message: Message) {
        switch message {
        case .want(let asked): wants?.append(contentsOf: asked.map(Want.init))
        case .chunks(let came):
            chunks?.append(contentsOf: came.chunks.map(Chunk.init))
            lacking?.append(contentsOf: came.lacking.map(\.raw.description))
            lackingBefore?.append(contentsOf: came.lackingBefore.map(\.raw.description))
        case .bodies(let answers): bodies?.append(contentsOf: answers.map { $0.payload != nil })
        case .prefix(let answer): prefixes?.append(answer.nodes.count)
        case .nodes(let answer): nodes?.append(answer.hashes.count)
        case .ownLog(let answer): ownLogs?.append(Size(log: answer.log.raw.description, size: answer.size))
        case .changes(let changes): named?.append(contentsOf: changes.logs.map(Size.init))
        case .comparison(let answer): named?.append(contentsOf: answer.logs.map(Size.init))
        case .items(let items): named?.append(contentsOf: items.logs.map { Size($0.item) })
        case .keepAlive(let word): count = word.count
        case .peers(let known): peers?.append(known.count)
        case .hello, .prefixWanted, .bodiesWanted, .compare, .peersWanted, .credit, .goodbye, .reconcile,
            .itemsWanted, .nodesWanted, .branch:
            return
        }
    }

    /// The same, without what is not told in `other`.
    func told(as other: DialogueAnswers) -> DialogueAnswers {
        var told = self
        if other.wants == nil { told.wants = nil }
        if other.chunks == nil { told.chunks = nil }
        if other.lacking == nil { told.lacking = nil }
        if other.lackingBefore == nil { told.lackingBefore = nil }
        if other.bodies == nil { told.bodies = nil }
        if other.prefixes == nil { told.prefixes = nil }
        if other.nodes == nil { told.nodes = nil }
        if other.ownLogs == nil { told.ownLogs = nil }
        if other.named == nil { told.named = nil }
        if other.peers == nil { told.peers = nil }
        if other.count == nil { told.count = nil }
        return told
    }
}

extension DialogueAnswers.Want {
    init(_ want: RangeWant) {
        log = want.log.raw.description
        from = want.from
        certificate = want.certificate == .send
        switch want.extent {
        case .all: (newest, until) = (false, 0)
        case .newest: (newest, until) = (true, 0)
        case .until(let end): (newest, until) = (false, end)
        }
    }
}

extension DialogueAnswers.Chunk {
    init(_ chunk: UnverifiedChunk) {
        log = chunk.log.raw.description
        start = chunk.start
        count = chunk.count
        size = chunk.size
        certificate = chunk.certificate != nil
        signature = chunk.signature != nil
        left = chunk.left.count
        right = chunk.right.count
    }
}

extension DialogueAnswers.Size {
    init(_ item: LogSize) {
        log = item.log.raw.description
        size = item.size
    }
}
