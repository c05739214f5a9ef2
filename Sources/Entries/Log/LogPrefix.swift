package import Sodium

/// A size of a log and the root there, known without a head: of a settlement, of fork evidence at its cut, of the tree
/// up to the end of a gap, or of what counts at an exporting node (`LogWords`).
package struct KnownRoot: Hashable, Sendable {
    package let size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    package let root: Bytes32

    package init(size: UInt64, root: Bytes32) {
        self.size = size
        self.root = root
    }
}

extension KnownRoot: Comparable {
    /// The lower size first, of equal ones the smaller root. The first is in force: of cuts (`protocol/log.md` §8), and
    /// of settlements with one serial (`Settlement.overrules`).
    package static func < (left: Self, right: Self) -> Bool {
        left.size != right.size ? left.size < right.size : left.root < right.root
    }
}

/// What the receiver knows of a log before it verifies a chunk.
package struct LogPrefix: Hashable, Sendable {
    /// The log's certificate, once verified.
    package let certificate: SignedCertificate?
    /// Compact range of [0, s), s being the end of the stored entries, pending ones too.
    package let range: LogRange
    /// The cut of the fork evidence, with the root there.
    package let cut: KnownRoot?
    /// The settled size and root.
    package let settled: KnownRoot?
    /// Compact range of [0, n) of the settled history, while that is fetched beside another one that is stored.
    package let side: LogRange?
    /// The gap within `range`.
    package let gap: LogGap?

    package init(
        certificate: SignedCertificate?,
        range: LogRange,
        cut: KnownRoot? = nil,
        settled: KnownRoot? = nil,
        side: LogRange? = nil,
        gap: LogGap? = nil
    ) {
        self.certificate = certificate
        self.range = range
        self.cut = cut
        self.settled = settled
        self.side = side
        self.gap = gap
    }

    /// Whether entries before `start` may be left out: not if the cut or the settled size is at or below `start`, since
    /// it would be unknown whether the entries behind count.
    package func mayLeaveOut(before start: UInt64) -> Bool {
        start < Standing.ceiling(cut: cut, settled: settled)
    }

    /// The prefix that ends at the gap, over which a replacement of what is behind it is checked; nil without a gap.
    package var beforeGap: LogPrefix? {
        gap.map { LogPrefix(certificate: certificate, range: $0.before, cut: cut, settled: settled) }
    }

    /// The prefix of an unknown log.
    package static let none = LogPrefix(certificate: nil, range: LogRange())
}
