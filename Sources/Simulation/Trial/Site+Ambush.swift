internal import Sync

/// A moment in which something is half done: what is to hit it waits for it.
package enum AmbushMoment: String, Hashable, Sendable, CaseIterable {
    /// An own entry is committed, and its author has not been told.
    case ownCommit = "an own commit"
    /// Entries of others are committed, and the machine has no event yet.
    case commit = "a commit"
    /// An own entry has just reached a peer.
    case arrival = "an own entry's arrival"
    /// A peer has read what a question to the disk brought it, and there may be more to come.
    case answer = "an answer's first piece"

    /// Those that crashes and power cuts are drawn from. In the midst of an answer nodes leave for good: of one that
    /// comes back the peer has the rest.
    package static let ofCrashes: [AmbushMoment] = [.ownCommit, .commit, .arrival]
}

/// Crashes, power cuts and departures at half-done moments.
extension Site {
    /// A crash or power cut that waits for the next moment of a kind, and strikes once.
    struct Ambush {
        let moment: AmbushMoment
        let strike: () -> Void
    }

    /// Whether a planned crash or departure struck at this moment: the node is down then, unless its departure was
    /// called off.
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

    /// Gives the machine an event that makes own entries, or an answer, leave.
    func giveFresh(_ event: NodeEvent, at moment: AmbushMoment = .arrival) {
        let isAwaited = ambush?.moment == moment || farewell?.moment == moment
        freshMoment = isAwaited ? moment : nil
        give(event)
        freshMoment = nil
    }

    /// Called when the peer has read something: strikes if that had fresh own entries and a crash waits for it.
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
