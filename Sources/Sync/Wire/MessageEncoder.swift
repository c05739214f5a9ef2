import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

extension Message {
    /// The message encoded as type and body.
    var frame: Frame {
        switch self {
        case .hello(let hello): Frame(.hello, hello.wire)
        case .ownLog(let answer): Frame(.ownLog, answer.wire)
        case .changes(let changes): Frame(.changes, changes.wire)
        case .want(let wants): Frame(.want, wire(wants))
        case .chunks(let chunks): Frame(.chunks, chunks.wire)
        case .prefixWanted(let question):
            Frame(
                .prefixWanted,
                .with {
                    $0.log = Data(question.log.raw)
                    $0.end = question.end
                } as WirePrefixWanted
            )
        case .prefix(let answer): Frame(.prefix, answer.wire)
        case .bodiesWanted(let places): Frame(.bodiesWanted, wire(places))
        case .bodies(let answers): Frame(.bodies, .with { $0.bodies = answers.map(\.wire) } as WireBodies)
        case .keepAlive(let keepAlive): Frame(.keepAlive, keepAlive.wire)
        case .compare(let page): Frame(.compare, page.wire)
        case .comparison(let answer):
            Frame(
                .comparison,
                .with {
                    $0.page = answer.page
                    $0.logs = answer.logs.map(\.wire)
                } as WireComparison
            )
        case .peersWanted: Frame(.peersWanted, WirePeersWanted())
        case .peers(let peers): Frame(.peers, .with { $0.peers = peers.map(\.wire) } as WirePeers)
        case .credit(let bytes): Frame(.credit, .with { $0.bytes = bytes } as WireCredit)
        case .goodbye(let goodbye): Frame(.goodbye, goodbye.wire)
        case .reconcile(let reconcile): Frame(.reconcile, reconcile.wire)
        case .itemsWanted(let question): Frame(.itemsWanted, question.wire)
        case .items(let items): Frame(.items, items.wire)
        case .nodesWanted(let question): Frame(.nodesWanted, question.wire)
        case .nodes(let answer): Frame(.nodes, answer.wire)
        case .branch(let branching): Frame(.branch, .with { $0.pushed = branching == .pushed } as WireBranch)
        }
    }
}

extension Frame {
    /// Bytes of credit that the message costs: its length, and the four of the length field.
    var creditBytes: UInt64 { UInt64(body.count) + UInt64(Frame.headerBytes) }

    fileprivate init(_ type: MessageType, _ message: some SwiftProtobuf.Message) {
        // Serialising can fail only for required fields, which proto3 does not have, and beyond 2 GiB.
        guard let body: [UInt8] = try? message.serializedBytes() else {
            preconditionFailure("proto3 always serialises")
        }
        self.init(type: type.rawValue, body: body)
    }
}

extension Data {
    init(_ bytes: Bytes32) {
        self = bytes.withUnsafeBytes { Data($0) }
    }

    init(nodes: [Bytes32]) {
        self.init(capacity: nodes.count * Bytes32.count)
        for node in nodes { node.withUnsafeBytes { append(contentsOf: $0) } }
    }
}

extension Hello {
    fileprivate var wire: WireHello {
        .with {
            $0.version = version
            $0.oldestVersion = oldestVersion
            $0.store = Data(store.bytes)
            $0.number = number
            if let cursor {
                $0.cursorStore = Data(cursor.store.bytes)
                $0.cursorNumber = cursor.number
                if let scope = cursor.scope { $0.cursorScope = Data(scope) }
            }
            if let ownLog { $0.ownLog = Data(ownLog.raw) }
            if case .identities(let identities) = scope {
                $0.scope.identities = identities.sorted().map { Data($0.raw) }
            }
            $0.features = features.sorted()
            $0.agent = agent
            $0.listenPort = UInt32(listenPort ?? 0)
            $0.credit = credit
            $0.logs = logs
        }
    }
}

extension OwnLogAnswer {
    fileprivate var wire: WireOwnLog {
        .with {
            $0.log = Data(log.raw)
            $0.size = size
            if size > 0 { $0.root = Data(root) }
        }
    }
}

extension LogSize {
    var wire: WireLogSize {
        .with {
            $0.log = Data(log.raw)
            $0.size = size
        }
    }
}

extension Changes {
    fileprivate var wire: WireChanges {
        .with {
            $0.logs = Sync.wire(logs, held)
            $0.number = number ?? 0
        }
    }
}

private func wire(_ wants: [RangeWant]) -> WireWant {
    .with {
        $0.wants = wants.map { want in
            .with {
                $0.log = Data(want.log.raw)
                $0.from = want.from
                $0.certificate = want.certificate == .send
                $0.settled = want.branch == .settled
                switch want.extent {
                case .all: break
                case .newest(let count): $0.newest = count
                case .until(let end): $0.until = end
                }
            }
        }
    }
}

extension Chunks {
    fileprivate var wire: WireChunks {
        .with {
            $0.chunks = chunks.map(\.wire)
            $0.number = number ?? 0
            $0.lacking = lacking.map { Data($0.raw) }
            $0.lackingBefore = lackingBefore.map { Data($0.raw) }
        }
    }
}

extension UnverifiedChunk {
    fileprivate var wire: WireChunk {
        .with {
            $0.log = Data(log.raw)
            if let certificate { $0.certificate = Data(certificate) }
            $0.start = start
            $0.count = count
            $0.size = size
            if case .head(let signature) = proof { $0.signature = Data(signature.bytes) }
            $0.entries = Data(entries)
            $0.right = Data(nodes: right)
            if !left.isEmpty { $0.left = Data(nodes: left) }
        }
    }

    /// An upper estimate of the chunk's bytes in a message.
    var wireBytes: Int {
        entries.count + (left.count + right.count) * Bytes32.count + (certificate?.count ?? 0) + 160
    }
}

/// Groups consecutive places of one log.
private func wire(_ places: [BodyPlace]) -> WireBodiesWanted {
    var message = WireBodiesWanted()
    for place in places {
        let log = Data(place.log.raw)
        if let last = message.wants.indices.last, message.wants[last].log == log {
            message.wants[last].sequences.append(place.sequence)
        } else {
            message.wants.append(
                .with {
                    $0.log = log
                    $0.sequences = [place.sequence]
                }
            )
        }
    }
    return message
}

extension BodyAnswer {
    fileprivate var wire: WireBody {
        .with {
            $0.log = Data(place.log.raw)
            $0.sequence = place.sequence
            if let payload { $0.payload = Data(payload) }
        }
    }
}

extension KeepAlive {
    fileprivate var wire: WireKeepAlive {
        .with {
            $0.fingerprint = Data(fingerprint.bytes)
            $0.count = count
            $0.number = number
            $0.quiet = activity == .quiet
            $0.answer = request == .answer
        }
    }
}

extension ComparePage {
    fileprivate var wire: WireCompare {
        .with {
            $0.page = page
            if let after = bounds.after { $0.after = Data(after.raw) }
            if let through = bounds.through { $0.through = Data(through.raw) }
            $0.logs = logs.map(\.wire)
        }
    }
}

extension HeardPeer {
    fileprivate var wire: WirePeer {
        .with {
            $0.host = address.host
            $0.port = UInt32(address.port)
            $0.node = Data(node.raw)
        }
    }
}

extension Goodbye {
    fileprivate var wire: WireGoodbye {
        .with {
            switch self {
            case .stopping: $0.reason = 1
            case .violation(let code):
                $0.reason = 2
                $0.violation = code
            case .noCommonVersion: $0.reason = 3
            case .tooManyPeers: $0.reason = 4
            case .duplicateConnection: $0.reason = 5
            case .connectedToSelf: $0.reason = 6
            case .scopeNotServed: $0.reason = 7
            case .replaced: $0.reason = 8
            case .unknown(let reason): $0.reason = reason
            }
        }
    }
}
