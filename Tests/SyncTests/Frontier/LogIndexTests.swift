import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct LogIndexTests {
    private func id(_ prefix: UInt64) -> LogID {
        var bytes = Author.bytes(prefix, "log").bytes
        for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: prefix >> UInt64(8 * (7 - place))) }
        return bytes.withUnsafeBytes { Bytes32(raw: $0) }.map { LogID(raw: $0) } ?? LogID(raw: .zero)
    }

    /// Ids that somebody chose by their first eight bytes, whichever bits of them those are.
    @Test(arguments: [0, 20, 40])
    func `Chosen i ds are found as fast as others`(shift: UInt64) {
        let count: UInt64 = 20_000
        func once(_ ids: [LogID], _ unknown: [LogID]) -> Duration {
            var index = LogIndex(secret: 77)
            var held: [LogID] = []
            return ContinuousClock().measure {
                for id in ids {
                    held.append(id)
                    index.insertLast(of: held)
                }
                for id in ids + unknown where index.number(of: id, in: held) == 70_000 { held = [] }
            }
        }
        /// The shortest of some: whoever is interrupted once is not slow.
        func duration(of ids: [LogID], unknown: [LogID]) -> Duration {
            (0..<5).map { _ in once(ids, unknown) }.min() ?? .zero
        }
        let chosen = duration(
            of: (0..<count).map { id($0 << shift) },
            unknown: (count..<2 * count).map { id($0 << shift) }
        )
        let random = duration(
            of: (0..<count).map { LogID(raw: Author.bytes($0, "random")) },
            unknown: (0..<count).map { LogID(raw: Author.bytes($0, "unknown")) }
        )
        #expect(chosen < random * 10, "\(chosen) against \(random)")
    }
}
