internal import Entries
internal import Sodium

/// A node's fingerprint is that of the items that it holds, computed anew by `protocol/log.md` §8 and §9.
///
/// Without this check a field missing from the item would show only between nodes that differ in it.
package enum FingerprintChecker: Checker {
    package static let name = "fingerprint"

    package static func look(at aftermath: Aftermath) -> [String] {
        aftermath.sites.compactMap { site in
            guard let fingerprint = site.fingerprint else { return nil }
            var sum = FingerprintSum()
            for item in site.items.values { sum.insert(id(of: item)) }
            if sum.fingerprint == fingerprint { return nil }
            return "node \(site.number) has another fingerprint than its \(site.items.count) items"
        }
    }

    private static func id(of item: FrontierItem) -> Bytes32 {
        var bytes = item.log.bytes
        bytes += bigEndian(item.size)
        bytes += item.root.bytes
        bytes += bigEndian(item.cut ?? .max)
        bytes += bigEndian(item.settled?.size ?? .max)
        bytes += (item.settled?.root ?? .zero).bytes
        return Blake2b.hash(HashTag("scurry/item"), bytes)
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
}
