package import Entries
package import Sodium

/// A message of `protocol/sync.md` §2 as another program may send it, such as a simulated liar. Nothing in it is
/// checked.
package enum Utterance: Sendable {
    case hello(OddHello)
    case ownLog(LogID, size: UInt64, root: Bytes32)
    case changes([LogSize], number: UInt64?)
    /// A settlement or fork evidence of a log.
    case words(LogWords)
    case want([RangeWant])
    case chunks([UnverifiedChunk], lacking: [LogID], number: UInt64?)
    case prefix(LogID, PrefixProof?, end: UInt64)
    case nodes(LogID, TreePlace, [Bytes32])
    case bodiesWanted([BodyPlace])
    case bodies([BodyAnswer])
    case credit(UInt64)
    case branch(Branching)

    /// A Hello that says nothing of its sender's frontier.
    package struct OddHello: Sendable {
        package let store: StoreID
        package let agent: String
        package var credit: UInt64 = Limits.creditWindowBytes
        package var ownLog: LogID?
        /// The feature numbers to name; only these are in use.
        package var features: Set<UInt32> = []
        package static let allFeatures: Set<UInt32> = [Hello.windows, Hello.scopes, Hello.branches]

        package init(store: StoreID, agent: String) {
            self.store = store
            self.agent = agent
        }
    }

    /// The message encoded as type and body.
    package var frame: Frame {
        switch self {
        case .hello(let hello):
            Message.hello(
                Hello(
                    store: hello.store,
                    number: 0,
                    cursor: nil,
                    ownLog: hello.ownLog,
                    agent: hello.agent,
                    listenPort: nil,
                    credit: hello.credit,
                    features: hello.features
                )
            ).frame
        case .ownLog(let log, let size, let root):
            Message.ownLog(OwnLogAnswer(log: log, size: size, root: root)).frame
        case .changes(let logs, let number): Message.changes(Changes(logs: logs, number: number)).frame
        case .words(let words): Message.changes(Changes(words)).frame
        case .want(let wants): Message.want(wants).frame
        case .chunks(let chunks, let lacking, let number):
            Message.chunks(Chunks(chunks: chunks, number: number, lacking: lacking)).frame
        case .prefix(let log, let proof, let end):
            Message.prefix(
                proof.map { PrefixAnswer(log: log, $0) } ?? PrefixAnswer(log: log, end: end, nodes: [])
            ).frame
        case .nodes(let log, let place, let hashes):
            Message.nodes(NodesAnswer(log: log, place: place, hashes: hashes)).frame
        case .bodiesWanted(let places): Message.bodiesWanted(places).frame
        case .bodies(let answers): Message.bodies(answers).frame
        case .credit(let bytes): Message.credit(bytes).frame
        case .branch(let branching): Message.branch(branching).frame
        }
    }
}

/// A message that such a peer receives.
package enum Heard: Sendable {
    /// `ownLog`: the log that the node writes.
    case hello(ownLog: LogID?)
    case want([RangeWant])
    case chunks([UnverifiedChunk])
    case changes([LogSize])
    case prefixWanted(LogID, end: UInt64)
    case nodesWanted(LogID, TreePlace)
    case bodiesWanted([BodyPlace])
    case goodbye(violation: UInt32?)
    /// A message that the peer need not understand.
    case other(type: UInt8)

    package init(_ frame: Frame) {
        switch try? Message(frame) {
        case .hello(let hello): self = .hello(ownLog: hello.ownLog)
        case .want(let wants): self = .want(wants)
        case .chunks(let chunks): self = .chunks(chunks.chunks)
        case .changes(let changes): self = .changes(changes.logs)
        case .prefixWanted(let question): self = .prefixWanted(question.log, end: question.end)
        case .nodesWanted(let question): self = .nodesWanted(question.log, question.place)
        case .bodiesWanted(let places): self = .bodiesWanted(places)
        case .goodbye(.violation(let code)): self = .goodbye(violation: code)
        case .goodbye: self = .goodbye(violation: nil)
        case .ownLog, .prefix, .bodies, .keepAlive, .compare, .comparison, .peersWanted, .peers, .credit, .reconcile,
            .itemsWanted, .items, .nodes, .branch, nil:
            self = .other(type: frame.type)
        }
    }
}
