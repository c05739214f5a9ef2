package import Sodium

/// A root that is known by other words than a head's: of a settlement, or of fork evidence up to the cut.
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
    /// Which of two cuts is in force: the lower one, of equal ones that with the smaller root (D14).
    package static func < (left: Self, right: Self) -> Bool {
        left.size != right.size ? left.size < right.size : left.root < right.root
    }
}

/// What the receiver knows of a log before a chunk of it is checked.
package struct LogPrefix: Hashable, Sendable {
    /// Known once the log's certificate was verified.
    package let certificate: SignedCertificate?
    /// Compact range of [0, n), n being the first entry that is not held.
    package let range: LogRange
    /// Where the log's writer forked, and the root up to there.
    package let cut: KnownRoot?
    /// Where the log's root key ends it.
    package let settled: KnownRoot?
    /// Compact range of [0, n) of the settled branch, where another one is stored and this one is being fetched.
    package let side: LogRange?
    /// Entries within `range` that are not here.
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

    /// Whether entries may be left out before `start`: not where that is a cut or the end of a settlement, or these lie in them,
    /// since it could not be told whether what follows counts.
    package func mayLeaveOut(before start: UInt64) -> Bool {
        start < Standing.ceiling(cut: cut, settled: settled)
    }

    /// The same without what lies behind a gap: there what takes its place is checked. Nil if there is no gap.
    package var beforeGap: LogPrefix? {
        gap.map { LogPrefix(certificate: certificate, range: $0.before, cut: cut, settled: settled) }
    }

    /// Nothing is known of the log.
    package static let none = LogPrefix(certificate: nil, range: LogRange())
}
