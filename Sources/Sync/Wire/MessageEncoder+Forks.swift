import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

extension HeldLog {
    var wire: WireLogSize {
        var wire = item.wire
        if let root { wire.root = Data(root) }
        if let settlement = words?.settlement { wire.settlement = Data(settlement) }
        if let evidence = words?.evidence { wire.evidence = Data(evidence) }
        if let certificate = words?.certificate { wire.certificate = Data(certificate) }
        return wire
    }
}

/// Encodes logs with the statements on them; a statement on another log is left out.
func wire(_ logs: [LogSize], _ held: [HeldLog]) -> [WireLogSize] {
    guard !held.isEmpty else { return logs.map(\.wire) }
    let known = Dictionary(held.map { ($0.log, $0) }, uniquingKeysWith: { $1 })
    return logs.map { known[$0.log]?.wire ?? $0.wire }
}

extension PrefixAnswer {
    var wire: WirePrefix {
        .with {
            $0.log = Data(log.raw)
            $0.end = end
            $0.nodes = Data(nodes: nodes)
            $0.size = size
            if let signature { $0.signature = Data(signature.bytes) }
            $0.right = Data(nodes: right)
        }
    }
}

extension NodesQuestion {
    var wire: WireNodesWanted {
        .with {
            $0.log = Data(log.raw)
            $0.level = UInt32(place.level)
            $0.place = place.index
        }
    }
}

extension NodesAnswer {
    var wire: WireNodes {
        .with {
            $0.log = Data(log.raw)
            $0.level = UInt32(place.level)
            $0.place = place.index
            $0.hashes = Data(nodes: hashes)
        }
    }
}
