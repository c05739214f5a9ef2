import Sodium
import Sync

/// One line for an event, detailed enough that two runs that differ anywhere differ here; the same below for an effect.
func describe(_ event: NodeEvent) -> String {
    switch event {
    case .received(let session, let bytes, _): "received \(session.raw) \(bytes.count) \(digest(bytes))"
    case .opened(let session, let direction, let key):
        "opened \(session.raw) \(direction) \(key.publicKey)"
    case .started, .readOn, .sent, .closed, .dialFailed, .timer, .verified, .verifyFailed, .taken, .takeFailed, .ranges,
        .prefix, .prefixProof, .nodes, .prefixWeighed, .wordsChecked, .bodies, .readFailed, .appended, .published,
        .released, .brought, .imported, .settled, .peersChanged, .found, .scopeChanged, .hurry, .stop:
        "\(event)"
    }
}

func describe(_ effect: NodeEffect) -> String {
    switch effect {
    case .send(let session, let bytes): "send \(session.raw) \(bytes.count) \(digest(bytes))"
    case .close, .dial, .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix,
        .checkWords, .readBodies, .wake, .report, .learnPeers, .pin:
        "\(effect)"
    }
}

/// FNV-1a.
private func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
