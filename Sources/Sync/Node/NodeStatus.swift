package import Entries

/// State of a node at one moment, for `scurry status`, `peers` and `sync`.
package struct NodeStatus: Hashable, Sendable {
    package let node: NodeID
    package let sessions: [SessionStatus]
    package let targets: [TargetStatus]
    package let fingerprint: Fingerprint
    /// Logs held.
    package let logs: UInt64
    /// Logs of which a connected peer offers more than is held, and was not asked for it in vain; and logs of which
    /// entries are here that count once the rest has come, if nobody has offered it.
    package let wantedLogs: Int
    package let wantedBodies: Int
    /// Logs with a gap.
    package let gaps: Int
    /// Logs set aside, or cut short by their writer's fork.
    package let setAside: Int
    /// Whether own entries may leave: since the start a peer has agreed, no claim is open, and signing has not stopped.
    package let ownLogIsCleared: Bool
    /// Identities whose logs this node carries.
    package let scope: Scope
    /// Logs of which more was offered than any connected peer supplies: asked for again with backoff, and not counted
    /// in `wantedLogs`.
    package let unsuppliedLogs: Int
    /// Logs that wait, or with words that wait, because their identity has spent its quota.
    package let delayedLogs: Int
    /// Whether a node that dials now becomes no peer.
    package let isFull: Bool
    /// When it was last in step with a peer whose connection has ended, in monotonic milliseconds; nil: never.
    package let inStepAt: UInt64?

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
        isFull: Bool = false,
        inStepAt: UInt64? = nil
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
        self.inStepAt = inStepAt
    }
}

/// One connected peer.
package struct SessionStatus: Hashable, Sendable {
    package let session: SessionID
    package let node: NodeID
    package let address: PeerAddress?
    package let direction: Direction
    package let agent: String
    /// Whether nothing is under way in either direction, as far as this side knows.
    package let isQuiet: Bool
    /// Whether both sides are quiet and their fingerprints of the common scope are equal.
    package let isEqual: Bool
    /// The last moment at which `isEqual` was found to hold, in monotonic milliseconds; nil: never.
    package let equalAt: UInt64?
    /// Common scope: the identities that both sides carry.
    package let common: Scope
    /// Whether the peer carries the identity that writes here.
    package let carriesOwn: Bool
    /// Logs that the peer offered and then lacked when asked.
    package let lackedLogs: Int
    /// Wants that this peer has not answered.
    package let wantsInFlight: Int
    /// When the last byte was received, in monotonic milliseconds.
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

/// One address that may be dialled.
package struct TargetStatus: Hashable, Sendable {
    package let target: PeerTarget
    package let state: State
    /// Why the last connection was refused; nil: it was not, or another has succeeded since.
    package let refusal: Goodbye?
    /// Ban of the address or its node; nil: none.
    package let penalty: Penalty?
    /// Why the last dial failed; nil: it did not.
    package let failure: DialFailure?
    /// Node that answered there last, if it was not the expected one.
    package let impostor: NodeID?
    /// Whether a dial has ended there since the start, or since a person asked for all peers.
    package let isTried: Bool
    /// Whether it is listed and due, and waits until fewer dials are under way.
    package let isQueued: Bool
    /// When the last connection with its node that has ended was last in step, in monotonic milliseconds; nil: never.
    package let inStepAt: UInt64?

    package struct Penalty: Hashable, Sendable {
        package let untilMonotonicMilliseconds: UInt64
        package let cause: Cause

        package enum Cause: Hashable, Sendable {
            /// The host there did not prove to be a node of this network.
            case noNode
            /// The node known at this address broke the protocol.
            case violation
        }

        package init(untilMonotonicMilliseconds: UInt64, cause: Cause) {
            self.untilMonotonicMilliseconds = untilMonotonicMilliseconds
            self.cause = cause
        }
    }

    package enum State: Hashable, Sendable {
        case connected(SessionID)
        /// `failures`: failed attempts since the backoff last began anew; the one under way does not count yet.
        case dialling(failures: Int)
        case waiting(untilMonotonicMilliseconds: UInt64, failures: Int)
        /// Known, and not needed now, or not dialled yet (`isQueued`).
        case idle
    }

    package init(
        target: PeerTarget,
        state: State,
        refusal: Goodbye? = nil,
        penalty: Penalty? = nil,
        failure: DialFailure? = nil,
        impostor: NodeID? = nil,
        isTried: Bool = false,
        isQueued: Bool = false,
        inStepAt: UInt64? = nil
    ) {
        self.target = target
        self.state = state
        self.refusal = refusal
        self.penalty = penalty
        self.failure = failure
        self.impostor = impostor
        self.isTried = isTried
        self.isQueued = isQueued
        self.inStepAt = inStepAt
    }
}
