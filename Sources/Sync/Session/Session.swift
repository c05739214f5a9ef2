import Entries
import Sodium

/// One connection, from the first byte to the last; what passes once both have said Hello is a `Link`'s business.
struct Session {
    enum Phase {
        /// The channel's keys are being agreed on.
        case handshake
        /// The other side is known; its Hello is awaited.
        case greeting(NodeID)
        /// Both have said Hello: there is a `Link`.
        case ready(NodeID)
    }

    let id: SessionID
    let direction: Direction
    /// What was dialled, or where the connection came from.
    let address: PeerAddress?
    let openedAt: UInt64
    var phase = Phase.handshake
    var channel: SecureChannel
    /// Any byte counts: what is slow is not dead.
    var heardAt: UInt64
    /// Messages of this event, sealed together at its end.
    var outbox: [Frame] = []
    /// Bytes handed over and not yet gone into the network.
    var queuedBytes = 0
    var bytesReceived: UInt64 = 0
    var bytesSent: UInt64 = 0
    /// Items of the frontier, as this side's Hello said.
    var saidLogs: UInt64 = 0

    init(id: SessionID, direction: Direction, address: PeerAddress?, channel: SecureChannel, now: UInt64) {
        self.id = id
        self.direction = direction
        self.address = address
        self.channel = channel
        openedAt = now
        heardAt = now
    }

    var node: NodeID? {
        switch phase {
        case .handshake: nil
        case .greeting(let node), .ready(let node): node
        }
    }

    var isReady: Bool {
        switch phase {
        case .handshake, .greeting: false
        case .ready: true
        }
    }

    var isOutgoing: Bool {
        switch direction {
        case .outgoing: true
        case .incoming: false
        }
    }

    /// When this session is over if nothing is heard.
    var deadline: UInt64 {
        switch phase {
        case .handshake, .greeting: openedAt + Limits.greetingDeadlineMilliseconds
        case .ready: heardAt + Limits.idleTimeoutMilliseconds
        }
    }
}
