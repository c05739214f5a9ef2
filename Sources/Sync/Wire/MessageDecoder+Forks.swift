import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

/// The fields of version 2 on forks and settlements: lengths and bounds are checked here, proofs elsewhere.
extension WireLogSize {
    var hasWords: Bool { !settlement.isEmpty || !evidence.isEmpty }
    /// Whether the settlement names 32 zero bytes as its log: it ends the account.
    private var isEnd: Bool { settlement.dropFirst(64).prefix(Bytes32.count).allSatisfy { $0 == 0 } }

    /// The statement besides the size; nil if there is none.
    func held(of item: LogSize) throws(SyncViolation) -> HeldLog? {
        guard hasWords || !root.isEmpty || !certificate.isEmpty else { return nil }
        guard hasWords else {
            guard certificate.isEmpty else { throw .wrongFieldLength }
            return HeldLog(item: item, root: try root.bytes32(), words: nil)
        }
        guard settlement.isEmpty || settlement.count == SignedSettlement.count,
            evidence.isEmpty || Limits.evidenceBytes.contains(evidence.count)
        else { throw .wrongFieldLength }
        let isEnd = !settlement.isEmpty && isEnd
        guard certificate.count == (isEnd ? 0 : SignedCertificate.count), !isEnd || evidence.isEmpty
        else { throw .wrongFieldLength }
        let root = try root.bytes32()
        guard (item.size == 0) == (root == .zero), !isEnd || item.size == 0 else { throw .impossibleNumber }
        let words = Words(
            settlement: settlement.isEmpty ? nil : [UInt8](settlement),
            evidence: evidence.isEmpty ? nil : [UInt8](evidence),
            certificate: isEnd ? nil : [UInt8](certificate)
        )
        return HeldLog(item: item, root: root, words: words)
    }
}

func heldLogs(_ wire: [WireLogSize], of logs: [LogSize]) throws(SyncViolation) -> [HeldLog] {
    var held: [HeldLog] = []
    for (item, log) in zip(wire, logs) {
        if let log = try item.held(of: log) { held.append(log) }
    }
    return held
}

extension PrefixAnswer {
    init(_ wire: WirePrefix) throws(SyncViolation) {
        guard wire.size <= EntryLimits.maximumLogEntries else { throw .impossibleNumber }
        self.init(
            log: LogID(raw: try wire.log.bytes32()),
            end: wire.end,
            nodes: try wire.nodes.nodes(atMost: Limits.rangeNodesCount),
            size: wire.size,
            signature: try wire.signature.signature(),
            right: try wire.right.nodes(atMost: Limits.rangeNodesCount)
        )
    }
}

extension NodesQuestion {
    init(_ wire: WireNodesWanted) throws(SyncViolation) {
        self.init(log: LogID(raw: try wire.log.bytes32()), place: try treePlace(wire.level, wire.place))
    }
}

extension NodesAnswer {
    init(_ wire: WireNodes) throws(SyncViolation) {
        self.init(
            log: LogID(raw: try wire.log.bytes32()),
            place: try treePlace(wire.level, wire.place),
            hashes: try wire.hashes.nodes(atMost: Limits.descendantsCount)
        )
    }
}

/// A perfect subtree of more than one leaf, within the largest tree of a log.
private func treePlace(_ level: UInt32, _ index: UInt64) throws(SyncViolation) -> TreePlace {
    guard (1...31).contains(level), index < EntryLimits.maximumLogEntries >> UInt64(level) else {
        throw .impossibleNumber
    }
    return TreePlace(level: Int(level), index: index)
}

extension Data {
    func bytes32() throws(SyncViolation) -> Bytes32 {
        guard let value = withUnsafeBytes({ Bytes32(raw: $0) }) else { throw .wrongFieldLength }
        return value
    }

    /// Nodes of 32 bytes each.
    func nodes(atMost limit: Int) throws(SyncViolation) -> [Bytes32] {
        guard count % Bytes32.count == 0 else { throw .wrongFieldLength }
        guard count / Bytes32.count <= limit else { throw .tooManyItems }
        return withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: Bytes32.count).compactMap {
                Bytes32(raw: UnsafeRawBufferPointer(rebasing: raw[$0..<$0 + Bytes32.count]))
            }
        }
    }

    /// A signature of 64 bytes; nil if there are no bytes.
    func signature() throws(SyncViolation) -> Signature? {
        guard !isEmpty else { return nil }
        guard let signature = withUnsafeBytes({ Signature($0) }) else { throw .wrongFieldLength }
        return signature
    }
}
