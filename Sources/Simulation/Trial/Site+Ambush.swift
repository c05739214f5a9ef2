internal import Sync

/// A moment in which something is half done: what is to hit it waits for it.
package enum AmbushMoment: String, Hashable, Sendable, CaseIterable {
    /// An own entry is committed, and its author has not been told.
    case ownCommit = "an own commit"
    /// What others wrote is committed, and the machine has not been told.
    case commit = "a commit"
    /// An own entry has just reached a peer.
    case arrival = "an own entry's arrival"
    /// A peer has read what a question to the disk brought it, and there may be more to come.
    case answer = "an answer's first piece"

    /// Those that crashes and power cuts are drawn from. In the midst of an answer nodes leave for good: of one that comes
    /// back the peer has the rest.
    package static let ofCrashes: [AmbushMoment] = [.ownCommit, .commit, .arrival]
}

/// Crashes, power cuts and departures at the moments that matter.
extension Site {
    /// What is done to a node at the next moment of a kind, once.
    struct Ambush {
        let moment: AmbushMoment
        let strike: () -> Void
    }

    /// Whether somebody waited for this: then the node has just gone down, or (a departure) was needed here after all.
    func isStruck(at moment: AmbushMoment) -> Bool {
        if let ambush, ambush.moment == moment {
            self.ambush = nil
            ambush.strike()
            return true
        }
        if let farewell, farewell.moment == moment {
            self.farewell = nil
            farewell.strike()
            return true
        }
        return false
    }

    /// The machine is told something by which own entries, or an answer, leave.
    func giveFresh(_ event: NodeEvent, at moment: AmbushMoment = .arrival) {
        let isAwaited = ambush?.moment == moment || farewell?.moment == moment
        freshMoment = isAwaited ? moment : nil
        give(event)
        freshMoment = nil
    }

    /// The peer has read what was sent on a session.
    func noteArrival(on session: SessionID) {
        guard !freshSessions.isEmpty else { return }
        let present = life
        for moment in [AmbushMoment.arrival, .answer] where freshSessions[moment]?.remove(session) != nil {
            // Not within the delivery.
            trial.plan(in: 0) { [unowned self] in
                if life == present { _ = isStruck(at: moment) }
            }
        }
    }
}
