/// A running hash of everything that nodes sent and had done; equal traces are equal trials.
package final class TrialTrace {
    package enum Extent: Hashable, Sendable {
        case hash
        /// Keeps every line as well, for the analysis of a small trial.
        case lines
    }

    private let extent: Extent
    package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var lines: [String] = []
    package private(set) var count: UInt64 = 0

    init(_ extent: Extent) {
        self.extent = extent
    }

    /// Adds an event to the trace: its time, node, kind (`what`, the beginning of a line), number and bytes.
    func note(_ now: UInt64, _ node: Int, _ what: StaticString, _ number: UInt64 = 0, _ bytes: [UInt8] = []) {
        count += 1
        mix(now)
        mix(UInt64(truncatingIfNeeded: node))
        what.withUTF8Buffer { for byte in $0 { mix(UInt64(byte)) } }
        mix(number)
        let digest = Self.digest(bytes)
        mix(digest)
        if extent == .lines { lines.append("\(now) \(node) \(what) \(number) \(bytes.count) \(digest)") }
    }

    private func mix(_ value: UInt64) {
        hash = (hash ^ value) &* 0x100_0000_01B3
        hash ^= hash >> 29
    }

    /// A hash of the bytes, eight at a time.
    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        var digest: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        bytes.withUnsafeBytes { raw in
            var place = 0
            while place + 8 <= raw.count {
                digest = (digest ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0x100_0000_01B3
                digest ^= digest >> 31
                place += 8
            }
            while place < raw.count {
                digest = (digest ^ UInt64(raw[place])) &* 0x100_0000_01B3
                place += 1
            }
        }
        return digest
    }
}
