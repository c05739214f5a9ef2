internal import Sync

/// A moment at which an operation is half done, for which a planned crash waits.
package enum AmbushMoment: String, Hashable, Sendable, CaseIterable {
    /// An own entry is committed, and its author has not been told.
    case ownCommit = "an own commit"
    /// Entries of others are committed, and the machine has no event yet.
    case commit = "a commit"
    /// An own entry has just reached a peer.
    case arrival = "an own entry's arrival"
}

/// Crashes and power cuts at half-done moments.
extension Site {
    /// A crash or power cut that waits for the next moment of a kind, and strikes once.
    struct Ambush {
        let moment: AmbushMoment
        let strike: () -> Void
    }

    /// Whether a planned crash struck at this moment: the node is down then.
    func isStruck(at moment: AmbushMoment) -> Bool {
        guard let ambush, ambush.moment == moment else { return false }
        self.ambush = nil
        ambush.strike()
        return true
    }

    /// Gives the machine an event that makes own entries leave.
    func giveFresh(_ event: NodeEvent) {
        isSendingFresh = ambush?.moment == .arrival
        give(event)
        isSendingFresh = false
    }

    /// Called when the peer has read something: strikes if that had fresh own entries and a crash waits for it.
    func noteArrival(on session: SessionID) {
        guard freshSessions.remove(session) != nil else { return }
        let present = life
        // Not within the delivery.
        trial.plan(in: 0) { [unowned self] in
            if life == present { _ = isStruck(at: .arrival) }
        }
    }
}
