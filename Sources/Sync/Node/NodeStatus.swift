package import Entries

/// What a node knows about itself at this moment, for `scurry status`, `peers` and `sync`.
package struct NodeStatus: Hashable, Sendable {
    package let node: NodeID
    package let sessions: [SessionStatus]
    package let targets: [TargetStatus]
    package let fingerprint: Fingerprint
    /// Logs held.
    package let logs: UInt64
    /// Logs of which some peer says to have more than is held, and was not asked for it in vain.
    package let wantedLogs: Int
    package let wantedBodies: Int
    /// Logs out of which entries are left.
    package let gaps: Int
    /// Logs whose writer forked.
    package let setAside: Int
    /// True once a peer of this start has shown what it holds of the own log.
    package let ownLogIsCleared: Bool
    /// What this node carries.
    package let scope: Scope
    /// Logs of which somebody offered more, and nobody who is there supplies it: they are asked for again, later and later,
    /// and are not among those wanted.
    package let unsuppliedLogs: Int
    /// Logs that wait because their identity has spent its quota.
    package let delayedLogs: Int
    /// Whoever calls now is turned away.
    package let isFull: Bool

    package init(
        node: NodeID,
        sessions: [SessionStatus],
        targets: [TargetStatus],
        fingerprint: Fingerprint,
        logs: UInt64,
        wantedLogs: Int,
        wantedBodies: Int,
        gaps: Int = 0,
        setAside: Int,
        ownLogIsCleared: Bool,
        scope: Scope = .everything,
        unsuppliedLogs: Int = 0,
        delayedLogs: Int = 0,
        isFull: Bool = false
    ) {
        self.node = node
        self.sessions = sessions
        self.targets = targets
        self.fingerprint = fingerprint
        self.logs = logs
        self.wantedLogs = wantedLogs
        self.wantedBodies = wantedBodies
        self.gaps = gaps
        self.setAside = setAside
        self.ownLogIsCleared = ownLogIsCleared
        self.scope = scope
        self.unsuppliedLogs = unsuppliedLogs
        self.delayedLogs = delayedLogs
        self.isFull = isFull
    }
}

/// One connected peer.
package struct SessionStatus: Hashable, Sendable {
    package let session: SessionID
    package let node: NodeID
    package let address: PeerAddress?
    package let direction: Direction
    package let agent: String
    /// Nothing is under way in either direction.
    package let isQuiet: Bool
    /// Both sides are quiet and their fingerprints of what both carry were equal when last compared.
    package let isEqual: Bool
    /// The last moment at which that held and was looked at, in monotonic milliseconds; nil: it never did.
    package let equalAt: UInt64?
    /// What both carry.
    package let common: Scope
    /// The peer carries the logs of whoever writes here.
    package let carriesOwn: Bool
    /// Logs that the peer offered and then did not have.
    package let lackedLogs: Int
    /// Logs wanted of this peer and not yet here.
    package let wantsInFlight: Int
    /// When the last byte came, in monotonic milliseconds.
    package let heardAt: UInt64
    package let bytesReceived: UInt64
    package let bytesSent: UInt64

    package init(
        session: SessionID,
        node: NodeID,
        address: PeerAddress?,
        direction: Direction,
        agent: String,
        isQuiet: Bool,
        isEqual: Bool,
        equalAt: UInt64? = nil,
        common: Scope = .everything,
        carriesOwn: Bool = true,
        lackedLogs: Int = 0,
        wantsInFlight: Int,
        heardAt: UInt64 = 0,
        bytesReceived: UInt64,
        bytesSent: UInt64
    ) {
        self.session = session
        self.node = node
        self.address = address
        self.direction = direction
        self.agent = agent
        self.isQuiet = isQuiet
        self.isEqual = isEqual
        self.equalAt = equalAt
        self.common = common
        self.carriesOwn = carriesOwn
        self.lackedLogs = lackedLogs
        self.wantsInFlight = wantsInFlight
        self.heardAt = heardAt
        self.bytesReceived = bytesReceived
        self.bytesSent = bytesSent
    }
}

/// One address that is dialled.
package struct TargetStatus: Hashable, Sendable {
    package let target: PeerTarget
    package let state: State
    /// Why the last connection was refused, if no other has come about since.
    package let refusal: Goodbye?
    /// It is left alone for a while; nil: it is not.
    package let penalty: Penalty?
    /// Why the last dial failed; nil: it did not.
    package let failure: DialFailure?
    /// Who answered there the last time, if it was another node than the one that is known.
    package let impostor: NodeID?

    package struct Penalty: Hashable, Sendable {
        package let untilMonotonicMilliseconds: UInt64
        package let cause: Cause

        package enum Cause: Hashable, Sendable {
            /// What answers there did not show that it is a node of this network.
            case noNode
            /// The node that is known there broke the protocol.
            case violation
        }

        package init(untilMonotonicMilliseconds: UInt64, cause: Cause) {
            self.untilMonotonicMilliseconds = untilMonotonicMilliseconds
            self.cause = cause
        }
    }

    package enum State: Hashable, Sendable {
        case connected(SessionID)
        /// `failures`: dials in vain since it was last reached; the one under way does not count yet.
        case dialling(failures: Int)
        case waiting(untilMonotonicMilliseconds: UInt64, failures: Int)
        /// Known, and not needed now.
        case idle
    }

    package init(
        target: PeerTarget,
        state: State,
        refusal: Goodbye? = nil,
        penalty: Penalty? = nil,
        failure: DialFailure? = nil,
        impostor: NodeID? = nil
    ) {
        self.target = target
        self.state = state
        self.refusal = refusal
        self.penalty = penalty
        self.failure = failure
        self.impostor = impostor
    }
}
