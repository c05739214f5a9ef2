import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

extension Message {
    /// Decodes a message; nil for a type that only later versions know.
    ///
    /// Lenient where later versions may add something (unknown fields), strict in lengths, ranges and counts.
    init?(_ frame: Frame) throws(SyncViolation) {
        guard let type = MessageType(rawValue: frame.type) else { return nil }
        guard FieldScan.isWithin(frame.body, limit: type.fieldLimit) else { throw .tooManyItems }
        switch type {
        case .hello: self = .hello(try Hello(parse(frame)))
        case .ownLog: self = .ownLog(try OwnLogAnswer(parse(frame)))
        case .changes: self = .changes(try Changes(parse(frame)))
        case .want: self = .want(try wants(parse(frame)))
        case .chunks: self = .chunks(try Chunks(parse(frame)))
        case .prefixWanted: self = .prefixWanted(try PrefixQuestion(parse(frame)))
        case .prefix: self = .prefix(try PrefixAnswer(parse(frame)))
        case .bodiesWanted: self = .bodiesWanted(try places(parse(frame)))
        case .bodies: self = .bodies(try bodyAnswers(parse(frame)))
        case .keepAlive: self = .keepAlive(try KeepAlive(parse(frame)))
        case .compare: self = .compare(try ComparePage(parse(frame)))
        case .comparison: self = .comparison(try ComparisonAnswer(parse(frame)))
        case .peersWanted:
            _ = try parse(frame) as WirePeersWanted
            self = .peersWanted
        case .peers: self = .peers(try heardPeers(parse(frame)))
        case .credit: self = .credit((try parse(frame) as WireCredit).bytes)
        case .goodbye: self = .goodbye(Goodbye(try parse(frame)))
        case .reconcile: self = .reconcile(try Reconcile(parse(frame)))
        case .itemsWanted: self = .itemsWanted(try ItemsQuestion(parse(frame)))
        case .items: self = .items(try Items(parse(frame)))
        case .nodesWanted: self = .nodesWanted(try NodesQuestion(parse(frame)))
        case .nodes: self = .nodes(try NodesAnswer(parse(frame)))
        case .branch: self = .branch((try parse(frame) as WireBranch).pushed ? .pushed : .named)
        }
    }
}

extension MessageType {
    /// The most fields at the top level: the bound of the list, and room for fields of later versions.
    fileprivate var fieldLimit: Int {
        let spare = 32
        return switch self {
        case .hello: Limits.featuresCount + spare
        case .changes: Limits.changesPageLogs + spare
        case .want: Limits.wantsPerMessage + spare
        case .chunks: 2 * Limits.chunksPerMessage + spare
        case .bodiesWanted, .bodies: Limits.bodiesPerMessage + spare
        case .compare: Limits.comparePageLogs + spare
        case .comparison: Limits.comparisonLogs + spare
        case .peers: Limits.peersPerMessage + spare
        case .ownLog, .prefixWanted, .prefix, .keepAlive, .peersWanted, .credit, .goodbye, .reconcile,
            .nodesWanted, .nodes, .branch:
            spare
        case .itemsWanted: Limits.reconciliationIDs + spare
        case .items: Limits.itemsPerMessage + spare
        }
    }
}

private func parse<Body: SwiftProtobuf.Message>(_ frame: Frame) throws(SyncViolation) -> Body {
    var options = BinaryDecodingOptions()
    options.discardUnknownFields = true
    do {
        return try Body(serializedBytes: frame.body, options: options)
    } catch {
        throw .malformedMessage
    }
}

extension Data {
    fileprivate func storeID() throws(SyncViolation) -> StoreID {
        guard let id = StoreID(self) else { throw .wrongFieldLength }
        return id
    }
}

extension Hello {
    fileprivate init(_ wire: WireHello) throws(SyncViolation) {
        guard wire.features.count <= Limits.featuresCount, wire.scope.identities.count <= Scope.maximumIdentities
        else { throw .tooManyItems }
        guard wire.oldestVersion >= 1, wire.oldestVersion <= wire.version else { throw .impossibleVersions }
        guard let port = UInt16(exactly: wire.listenPort), wire.credit >= Limits.minimumCreditBytes
        else { throw .impossibleNumber }
        guard wire.agent.utf8.count <= Limits.maximumAgentBytes else { throw .wrongFieldLength }
        var identities: Set<IdentityID> = []
        for identity in wire.scope.identities { identities.insert(IdentityID(raw: try identity.bytes32())) }
        let cursorScope = wire.cursorScope.isEmpty ? nil : try wire.cursorScope.bytes32()
        self.init(
            version: wire.version,
            oldestVersion: wire.oldestVersion,
            store: try wire.store.storeID(),
            number: wire.number,
            cursor: wire.cursorStore.isEmpty
                ? nil
                : Cursor(store: try wire.cursorStore.storeID(), number: wire.cursorNumber, scope: cursorScope),
            ownLog: wire.ownLog.isEmpty ? nil : LogID(raw: try wire.ownLog.bytes32()),
            scope: identities.isEmpty ? .everything : .identities(identities),
            agent: wire.agent,
            listenPort: port == 0 ? nil : port,
            credit: wire.credit,
            logs: wire.logs,
            features: Set(wire.features)
        )
    }
}

extension OwnLogAnswer {
    fileprivate init(_ wire: WireOwnLog) throws(SyncViolation) {
        guard wire.size <= EntryLimits.maximumLogEntries else { throw .impossibleNumber }
        guard wire.size == 0 else {
            self.init(log: LogID(raw: try wire.log.bytes32()), size: wire.size, root: try wire.root.bytes32())
            return
        }
        guard wire.root.isEmpty else { throw .wrongFieldLength }
        self.init(log: LogID(raw: try wire.log.bytes32()), size: 0, root: .zero)
    }
}

/// Whether a message may name a log with no entries that count.
enum EmptyLogs {
    /// Only together with words on it.
    case withWords
    /// The messages of version 1, which have no words.
    case never
}

func logSizes(_ wire: [WireLogSize], limit: Int, empty: EmptyLogs) throws(SyncViolation) -> [LogSize] {
    guard wire.count <= limit else { throw .tooManyItems }
    var logs: [LogSize] = []
    logs.reserveCapacity(wire.count)
    for item in wire {
        guard item.size >= 1 || empty == .withWords && item.hasWords, item.size <= EntryLimits.maximumLogEntries else {
            throw .impossibleNumber
        }
        logs.append(LogSize(log: LogID(raw: try item.log.bytes32()), size: item.size))
    }
    return logs
}

extension Changes {
    fileprivate init(_ wire: WireChanges) throws(SyncViolation) {
        let logs = try logSizes(wire.logs, limit: Limits.changesPageLogs, empty: .withWords)
        self.init(
            logs: logs,
            number: wire.number == 0 ? nil : wire.number,
            held: try heldLogs(wire.logs, of: logs)
        )
    }
}

private func wants(_ wire: WireWant) throws(SyncViolation) -> [RangeWant] {
    guard wire.wants.count <= Limits.wantsPerMessage else { throw .tooManyItems }
    var wants: [RangeWant] = []
    wants.reserveCapacity(wire.wants.count)
    for item in wire.wants {
        wants.append(
            RangeWant(
                log: LogID(raw: try item.log.bytes32()),
                from: item.from,
                certificate: item.certificate ? .send : .known,
                branch: item.settled ? .settled : .held,
                extent: RangeWant.Extent(item)
            )
        )
    }
    return wants
}

extension RangeWant.Extent {
    fileprivate init(_ wire: WireLogWant) {
        if wire.until > 0 {
            self = .until(wire.until)
        } else {
            self = wire.newest > 0 ? .newest(wire.newest) : .all
        }
    }
}

extension Chunks {
    fileprivate init(_ wire: WireChunks) throws(SyncViolation) {
        guard wire.chunks.count <= Limits.chunksPerMessage, wire.lacking.count <= Limits.chunksPerMessage,
            wire.lackingBefore.count <= Limits.chunksPerMessage
        else { throw .tooManyItems }
        chunks.reserveCapacity(wire.chunks.count)
        for chunk in wire.chunks { chunks.append(try UnverifiedChunk(chunk)) }
        for log in wire.lacking { lacking.append(LogID(raw: try log.bytes32())) }
        for log in wire.lackingBefore { lackingBefore.append(LogID(raw: try log.bytes32())) }
        number = wire.number == 0 ? nil : wire.number
    }
}

extension UnverifiedChunk {
    /// Checks lengths and bounds; the proof is verified elsewhere.
    fileprivate init(_ wire: WireChunk) throws(SyncViolation) {
        guard wire.count > 0 else { throw .emptyChunk }
        guard wire.size <= EntryLimits.maximumLogEntries, wire.start < wire.size, wire.count <= wire.size - wire.start
        else { throw .impossibleNumber }
        guard wire.certificate.isEmpty || wire.certificate.count == SignedCertificate.count
        else { throw .wrongFieldLength }
        self.init(
            log: LogID(raw: try wire.log.bytes32()),
            certificate: wire.certificate.isEmpty ? nil : [UInt8](wire.certificate),
            start: wire.start,
            count: wire.count,
            size: wire.size,
            proof: try wire.signature.signature().map { .head($0) } ?? .known,
            entries: [UInt8](wire.entries),
            right: try wire.right.nodes(atMost: Limits.rangeNodesCount)
        )
        left = try wire.left.nodes(atMost: Limits.rangeNodesCount)
    }
}

extension PrefixQuestion {
    fileprivate init(_ wire: WirePrefixWanted) throws(SyncViolation) {
        self.init(log: LogID(raw: try wire.log.bytes32()), end: wire.end)
    }
}

private func places(_ wire: WireBodiesWanted) throws(SyncViolation) -> [BodyPlace] {
    let count = wire.wants.reduce(0) { $0 + $1.sequences.count }
    guard max(wire.wants.count, count) <= Limits.bodiesPerMessage else { throw .tooManyItems }
    var places: [BodyPlace] = []
    for want in wire.wants {
        let log = LogID(raw: try want.log.bytes32())
        for sequence in want.sequences {
            places.append(BodyPlace(log: log, sequence: sequence))
        }
    }
    return places
}

private func bodyAnswers(_ wire: WireBodies) throws(SyncViolation) -> [BodyAnswer] {
    guard wire.bodies.count <= Limits.bodiesPerMessage else { throw .tooManyItems }
    var answers: [BodyAnswer] = []
    for body in wire.bodies {
        guard body.payload.count <= EntryLimits.maximumPayloadBytes else { throw .wrongFieldLength }
        answers.append(
            BodyAnswer(
                place: BodyPlace(log: LogID(raw: try body.log.bytes32()), sequence: body.sequence),
                payload: body.hasPayload ? [UInt8](body.payload) : nil
            )
        )
    }
    return answers
}

extension KeepAlive {
    fileprivate init(_ wire: WireKeepAlive) throws(SyncViolation) {
        guard let fingerprint = Fingerprint(wire.fingerprint) else { throw .wrongFieldLength }
        self.init(
            fingerprint: fingerprint,
            count: wire.count,
            number: wire.number,
            activity: wire.quiet ? .quiet : .busy,
            request: wire.answer ? .answer : .nothing
        )
    }
}

extension ComparePage {
    fileprivate init(_ wire: WireCompare) throws(SyncViolation) {
        let bounds = PageBounds(
            after: wire.after.isEmpty ? nil : LogID(raw: try wire.after.bytes32()),
            through: wire.through.isEmpty ? nil : LogID(raw: try wire.through.bytes32())
        )
        let logs = try logSizes(wire.logs, limit: Limits.comparePageLogs, empty: .never)
        guard wire.page >= 1, bounds.hold(logs) else { throw .impossiblePage }
        self.init(page: wire.page, bounds: bounds, logs: logs)
    }
}

extension ComparisonAnswer {
    fileprivate init(_ wire: WireComparison) throws(SyncViolation) {
        let logs = try logSizes(wire.logs, limit: Limits.comparisonLogs, empty: .never)
        guard PageBounds(after: nil, through: nil).hold(logs) else { throw .impossiblePage }
        self.init(page: wire.page, logs: logs)
    }
}

/// Leaves out addresses that cannot be dialled: they are hints, and no violation.
private func heardPeers(_ wire: WirePeers) throws(SyncViolation) -> [HeardPeer] {
    guard wire.peers.count <= Limits.peersPerMessage else { throw .tooManyItems }
    return wire.peers.compactMap { peer in
        guard let port = UInt16(exactly: peer.port), port > 0, let node = NodeID(peer.node),
            (1...Limits.maximumHostBytes).contains(peer.host.utf8.count),
            peer.host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return HeardPeer(address: PeerAddress(host: peer.host, port: port), node: node)
    }
}

extension Goodbye {
    fileprivate init(_ wire: WireGoodbye) {
        self =
            switch wire.reason {
            case 1: .stopping
            case 2: .violation(code: wire.violation)
            case 3: .noCommonVersion
            case 4: .tooManyPeers
            case 5: .duplicateConnection
            case 6: .connectedToSelf
            case 7: .scopeNotServed
            case 8: .replaced
            default: .unknown(wire.reason)
            }
    }
}
