import Entries

/// A row of the table: who offers a log, who is asked for it, and its retries if nobody could supply it.
extension Requests {
    struct Offer {
        let session: SessionID
        var size: UInt64
        /// Nil: the offer came by a comparison, which no cursor waits for.
        var epoch: Milestones.Epoch?
    }

    /// An open request for a log, to one session.
    struct Asked: Hashable {
        let session: SessionID
        var waiting: Waiting
        /// The sequence that the next chunk of the answer begins with.
        var next: UInt64
        /// The identity whose limit it counts against; nil: nothing of the log was held when it was requested.
        let owner: UInt64?
        let branch: RangeWant.Branch
        var extent = RangeWant.Extent.all
        /// `.send`: the next chunk must have the log's certificate.
        var certificate = RangeWant.CertificateWish.known
    }

    struct Want {
        var offers: [Offer] = []
        var asked: Asked?
        var patience: Patience?
        /// The largest size ever offered.
        var target: UInt64
        /// Offerers that were asked in vain, or gave less than another offers, also if they offer it anew.
        var lackers: Set<SessionID> = []
        /// Looks that found somebody being asked, since the lackers were forgotten.
        var lackLooks = 0

        /// Whether the session offers the log or is asked for it.
        func isFor(_ session: SessionID) -> Bool {
            asked?.session == session || offers.contains { $0.session == session }
        }

        /// Whether the session offers the log, or was asked for it in vain.
        func names(_ session: SessionID) -> Bool {
            offers.contains { $0.session == session } || lackers.contains(session)
                || patience?.failed.contains(session) == true
        }

        /// Whether a connected peer offers more, and was not asked for it in vain.
        var isClaimed: Bool {
            guard let patience else { return true }
            return offers.contains { !patience.failed.contains($0.session) }
        }
    }

    enum OfferOutcome {
        /// The session is a new offerer.
        case new
        /// The session offered it before, of this size or another.
        case known
        /// The session offered it before by a comparison; now its cursor waits for the log too.
        case announced
        /// The session's share of the table is used up.
        case refused
    }
}
