import Entries

/// A row of the table: who offers a log, who is asked for it, and since when nobody could supply it.
extension Requests {
    struct Offer {
        let session: SessionID
        var size: UInt64
        /// Nil: it came by a comparison, which no cursor waits for.
        var epoch: Milestones.Epoch?
    }

    /// A want that some peer is to answer now.
    struct Asked: Hashable {
        let session: SessionID
        var waiting: Waiting
        /// The entry that the next chunk of the answer begins with.
        var next: UInt64
        /// The identity that it counts against; nil: nothing of the log was held when it was asked for.
        let owner: UInt64?
        let branch: RangeWant.Branch
        var extent = RangeWant.Extent.all
        /// `.send`: the next chunk has to bring the log's certificate.
        var certificate = RangeWant.CertificateWish.known
    }

    /// A want that nobody could supply so far.
    struct Patience: Hashable {
        var attempts: Int
        var due: UInt64
        /// Who offered it; nil: an earlier process noted it.
        let source: NodeID?
        /// Sessions that offered it, were asked and had nothing: what they say again is asked for, and not believed.
        var failed: [SessionID] = []
        /// The largest size that is noted durably. Once that much is held, the store has forgotten it.
        var noted: UInt64 = 0

        /// The next attempt, after one at `now`.
        mutating func postpone(from now: UInt64) {
            due = Requests.turn(after: attempts, from: now)
            attempts += 1
        }
    }

    struct Want {
        var offers: [Offer] = []
        var asked: Asked?
        var patience: Patience?
        /// The most that was ever offered.
        var target: UInt64

        /// Somebody who is there says to have more, and was not asked for it in vain.
        var isClaimed: Bool {
            guard let patience else { return true }
            return offers.contains { !patience.failed.contains($0.session) }
        }
    }

    enum OfferOutcome {
        /// The peer may be asked for it.
        case new
        /// It was offered before; now it is more, or not.
        case known
        /// It was offered before by a comparison; now the peer's cursor waits for it too.
        case announced
        /// The session has brought as much as it may.
        case refused
    }
}
