/// A request for the entries of a log from `from` on.
package struct RangeWant: Hashable, Sendable {
    package let log: LogID
    package let from: UInt64
    /// Whether the answer must include the log's certificate.
    package let certificate: CertificateWish

    /// The history asked for.
    package let branch: Branch

    package enum Branch: Hashable, Sendable {
        /// The entries that count at the answering node.
        case held
        /// The settled history, which only a node has where the log is complete.
        case settled
    }

    /// The number of entries asked for.
    package let extent: Extent

    package enum Extent: Hashable, Sendable {
        /// All from `from` on.
        case all
        /// All from `from` on; but of more than this many only the newest, the others left out.
        case newest(UInt64)
        /// Up to an entry at which the asker knows the root: to fill a gap (`protocol/sync.md` §5).
        case until(UInt64)
    }

    package enum CertificateWish: Hashable, Sendable {
        case send
        case known
    }

    package init(
        log: LogID,
        from: UInt64,
        certificate: CertificateWish,
        branch: Branch = .held,
        extent: Extent = .all
    ) {
        self.log = log
        self.from = from
        self.certificate = certificate
        self.branch = branch
        self.extent = extent
    }

    /// The request for the rest, once the entries before `next` were sent.
    package func goingOn(from next: UInt64) -> RangeWant {
        let rest: Extent =
            switch extent {
            case .all, .newest: .all
            case .until: extent
            }
        return RangeWant(log: log, from: next, certificate: .known, branch: branch, extent: rest)
    }
}

/// A gap of a log, whose entries are asked for by number (`protocol/sync.md` §5).
package struct GapPlace: Hashable, Sendable {
    package let log: LogID
    /// From the first missing entry to the first one behind the gap.
    package let bounds: Range<UInt64>

    package init(log: LogID, bounds: Range<UInt64>) {
        self.log = log
        self.bounds = bounds
    }
}

/// The store's answer to a `RangeWant`.
package enum RangeAnswer: Hashable, Sendable {
    /// As many entries as the byte limit allows, under a head of the log or a root that the asker knows.
    case chunk(UnverifiedChunk)
    /// Nothing to be had here: `from` does not count or lies in a gap, the root at `until` is not known, the settled
    /// history is not complete, or the log is damaged.
    case lacking(LogID)
}

/// An entry's place, to ask for its body.
package struct BodyPlace: Hashable, Sendable {
    package let log: LogID
    package let sequence: UInt64

    package init(log: LogID, sequence: UInt64) {
        self.log = log
        self.sequence = sequence
    }
}

/// A body, or that it is absent.
package struct BodyAnswer: Hashable, Sendable {
    package let place: BodyPlace
    /// Nil: absent.
    package let payload: [UInt8]?

    package init(place: BodyPlace, payload: [UInt8]?) {
        self.place = place
        self.payload = payload
    }
}
