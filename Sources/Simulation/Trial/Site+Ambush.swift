internal import Sync

/// A moment in which something is half done: a crash that is to hit it waits for it.
package enum AmbushMoment: String, Hashable, Sendable, CaseIterable {
    /// An own entry is committed, and its author has not been told.
    case ownCommit = "an own commit"
    /// What others wrote is committed, and the machine has not been told.
    case commit = "a commit"
    /// An own entry has just reached a peer.
    case arrival = "an own entry's arrival"
}

/// Crashes and power cuts at the moments that matter.
extension Site {
    /// What is done to a node at the next moment of a kind, once.
    struct Ambush {
        let moment: AmbushMoment
        let strike: () -> Void
    }

    /// Whether the node has just gone down, as somebody waited for this.
    func isStruck(at moment: AmbushMoment) -> Bool {
        guard let ambush, ambush.moment == moment else { return false }
        self.ambush = nil
        ambush.strike()
        return true
    }

    /// The machine is told something by which own entries leave.
    func giveFresh(_ event: NodeEvent) {
        isSendingFresh = ambush?.moment == .arrival
        give(event)
        isSendingFresh = false
    }

    /// The peer has read what was sent on a session.
    func noteArrival(on session: SessionID) {
        guard freshSessions.remove(session) != nil else { return }
        let present = life
        // Not within the delivery.
        trial.plan(in: 0) { [unowned self] in
            if life == present { _ = isStruck(at: .arrival) }
        }
    }
}
