import Entries

/// The state of one address.
extension PeerBook {
    enum State: Hashable {
        case idle
        case dialling(DialID)
        case connected(SessionID)
        case waiting(until: UInt64)
        /// A person listed it, and this node itself answers there.
        case own
    }

    struct Entry {
        var target: PeerTarget
        /// The network and the site of its host, read once: each address that is learned is compared with all of them.
        let network: HostNetwork
        let site: HostNetwork
        var state = State.idle
        /// The last dial whose outcome is known; nil: none since the start, or since its line changed.
        var lastDial: DialID?
        /// Whether the outcome of a dial became known since the start, or since a person asked for all.
        var isTried = false
        /// When this node was last in step with the one there, in monotonic milliseconds; nil: never on a connection
        /// that has ended.
        var inStepAt: UInt64?
        /// Dials in a row that failed, or whose connection did not last.
        var failures = 0
        /// Dials in a row that no node answered.
        var unanswered = 0
        /// When those of them ended that say that nobody is there: another connection stood, so that this machine had a
        /// network. As many at most as a learned address is forgotten for.
        var misses: [UInt64] = []
        var metAt: UInt64?
        /// Whether a node answered there when it was dialled.
        var isReached = false
        /// The node that told of it; nil if a person listed it, or it was found on the local network.
        var teacher: NodeID?
        /// When it was found on the local network.
        var foundAt: UInt64?
        /// The site that the teacher dialled from; nil: the teacher was dialled, or is on this machine.
        var school: HostNetwork?
        var number: UInt64 = 0
        /// The reason of the last refusal, by either side; nil once a connection was welcomed.
        var refusal: Goodbye?
        /// Refusals in a row that only a person can end.
        var refusals = 0
        /// Whether another node with this one's key is connected there.
        var rivalry = Rivalry()
        /// Why the last dial failed; nil: it did not.
        var failure: DialFailure?
        /// The node that answered there last, if it was not the expected one.
        var impostor: NodeID?

        init(
            target: PeerTarget,
            metAt: UInt64? = nil,
            teacher: NodeID? = nil,
            foundAt: UInt64? = nil,
            school: HostNetwork? = nil
        ) {
            self.target = target
            network = HostNetwork(target.address.host)
            site = HostNetwork.site(of: target.address.host)
            self.metAt = metAt
            self.teacher = teacher
            self.foundAt = foundAt
            self.school = school
        }

        /// Whether another node told of it.
        var isTold: Bool { teacher != nil && teacher != target.node }

        /// Whether it can be removed at no loss.
        var isUnreached: Bool { target.origin == .learned && mayGiveWay && !isReached }

        /// Whether another node told of it, and it never answered though this machine had a network.
        var isVain: Bool { isTold && isUnreached && !misses.isEmpty }

        /// A person has listed it: it is not part of anybody's share of learned addresses any more.
        mutating func forgetTeacher() { (teacher, school, foundAt) = (nil, nil, nil) }

        /// Whether it is neither dialled nor connected.
        var mayGiveWay: Bool {
            switch state {
            case .idle, .waiting: true
            case .dialling, .connected, .own: false
            }
        }
    }
}
