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

    package enum CertificateWish: Hashable, Sendable {
        case send
        case known
    }

    package init(log: LogID, from: UInt64, certificate: CertificateWish, branch: Branch = .held) {
        self.log = log
        self.from = from
        self.certificate = certificate
        self.branch = branch
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
