import Entries

/// What is known of one address.
extension PeerBook {
    enum State: Hashable {
        case idle
        case dialling(DialID)
        case connected(SessionID)
        case waiting(until: UInt64)
        /// A person listed it, and it is this node itself.
        case own
    }

    struct Entry {
        var target: PeerTarget
        var state = State.idle
        /// Dials in a row that failed, or that led to a connection which did not last.
        var failures = 0
        /// Dials in a row to which no node answered.
        var unanswered = 0
        var metAt: UInt64?
        /// It answered there when it was dialled.
        var isReached = false
        /// Who told of it; nil for listed ones.
        var teacher: NodeID?
        /// When it was first heard on the local network.
        var foundAt: UInt64?
        /// Where the teacher dialled from; nil: it was dialled, or is on this machine.
        var school: HostNetwork?
        var number: UInt64 = 0
        /// Why the last connection was refused, by either side, if no other has come about since.
        var refusal: Goodbye?
        /// Refusals in a row that a person has to end.
        var refusals = 0
        /// Whether another node of this one's key is connected there.
        var rivalry = Rivalry()

        /// Somebody else than the node itself told of it.
        var isTold: Bool { teacher != nil && teacher != target.node }

        /// Nothing is lost with it.
        var isUnreached: Bool { mayGiveWay && !isReached }

        /// Another node told of it, and it never answered there.
        var isVain: Bool { isTold && isUnreached && unanswered > 0 && target.origin == .learned }

        /// Nobody is called or connected there.
        var mayGiveWay: Bool {
            switch state {
            case .idle, .waiting: true
            case .dialling, .connected, .own: false
            }
        }

        /// Why the last dial failed; nil: it did not.
        var failure: DialFailure?
        /// Another node than the one that is known answered there the last time.
        var impostor: NodeID?
    }
}
