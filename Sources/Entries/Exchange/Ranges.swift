/// A question for the entries of a log from some place on.
package struct RangeWant: Hashable, Sendable {
    package let log: LogID
    package let from: UInt64
    /// Whether the asker knows the log's certificate.
    package let certificate: CertificateWish

    /// Which history of the log.
    package let branch: Branch

    package enum Branch: Hashable, Sendable {
        /// As much as counts where it is asked for.
        case held
        /// The settled one: only a node where the log is complete has it.
        case settled
    }

    /// How much of it.
    package let extent: Extent

    package enum Extent: Hashable, Sendable {
        /// All from `from` on, to the end.
        case all
        /// The same; where more than so many lie there, the newest come first, and those before them not at all.
        case newest(UInt64)
        /// Up to a place whose root the asker knows: what it left out (`protocol/sync.md §5`).
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

    /// What is asked for from another place on, when the entries up to there were sent.
    package func goingOn(from next: UInt64) -> RangeWant {
        let rest: Extent =
            switch extent {
            case .all, .newest: .all
            case .until: extent
            }
        return RangeWant(log: log, from: next, certificate: .known, branch: branch, extent: rest)
    }
}

/// Entries of a log that are not here, while those behind them are: asked for by name (`protocol/sync.md §5`).
package struct GapPlace: Hashable, Sendable {
    package let log: LogID
    /// The first that is missing, and the first behind that is here.
    package let bounds: Range<UInt64>

    package init(log: LogID, bounds: Range<UInt64>) {
        self.log = log
        self.bounds = bounds
    }
}

/// What the store has for a `RangeWant`.
package enum RangeAnswer: Hashable, Sendable {
    /// As much as the byte limit allowed, under the head that is held now.
    case chunk(UnverifiedChunk)
    /// Nothing at or beyond the place that was asked for.
    case lacking(LogID)
}

/// One entry's body, asked for by name.
package struct BodyPlace: Hashable, Sendable {
    package let log: LogID
    package let sequence: UInt64

    package init(log: LogID, sequence: UInt64) {
        self.log = log
        self.sequence = sequence
    }
}

/// A body, or the word that it is not there.
package struct BodyAnswer: Hashable, Sendable {
    package let place: BodyPlace
    /// Nil: lacking.
    package let payload: [UInt8]?

    package init(place: BodyPlace, payload: [UInt8]?) {
        self.place = place
        self.payload = payload
    }
}
