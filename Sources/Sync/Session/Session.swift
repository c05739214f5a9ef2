import Entries
import Sodium

/// One connection, from the first byte to the last; once both sides have said Hello, a `Link` holds the protocol state.
struct Session {
    enum Phase {
        /// The Noise handshake is under way.
        case handshake
        /// The peer's key is known; its Hello is awaited.
        case greeting(NodeID)
        /// Both have said Hello: there is a `Link`.
        case ready(NodeID)
        /// Both have said Hello, and there is no room: the peer is a guest that may ask for addresses.
        case visiting(NodeID, Visit)
    }

    /// How long a guest may stay (`protocol/sync.md` §11).
    struct Visit {
        /// Monotonic milliseconds.
        var until: UInt64
        var isAnswered = false
    }

    /// In what role a connection was accepted.
    enum Admission: Hashable {
        case peer
        /// To be told the addresses of other nodes.
        case guest
    }

    let id: SessionID
    let direction: Direction
    /// The address dialled, or that the connection came from.
    let address: PeerAddress?
    let openedAt: UInt64
    var admission: Admission
    var phase = Phase.handshake
    @Boxed var channel: SecureChannel
    var unread = Unread()
    /// When the last byte came, of whatever message: a slow peer is not a dead one.
    var heardAt: UInt64
    /// Messages of this event, encrypted together at its end.
    var outbox: [Frame] = []
    var outboxBytes = 0
    /// Bytes handed to the network and not written yet.
    var queuedBytes = 0
    /// Why one of the two sides refuses this connection.
    var refusal: Goodbye?
    /// When some of `queuedBytes` were last written, or nothing was queued.
    var sentAt: UInt64
    var bytesReceived: UInt64 = 0
    var bytesSent: UInt64 = 0
    /// The number of frontier items within this side's scope, as its Hello said.
    var saidLogs: UInt64 = 0

    init(
        id: SessionID,
        direction: Direction,
        admission: Admission,
        address: PeerAddress?,
        channel: SecureChannel,
        now: UInt64
    ) {
        self.id = id
        self.admission = admission
        self.direction = direction
        self.address = address
        self.channel = channel
        openedAt = now
        heardAt = now
        sentAt = now
    }

    /// Bytes that wait for the network, or for the end of this event.
    var waitingBytes: Int { queuedBytes + outboxBytes }

    var node: NodeID? {
        switch phase {
        case .handshake: nil
        case .greeting(let node), .ready(let node), .visiting(let node, _): node
        }
    }

    /// Whether there is a `Link`.
    var isReady: Bool {
        switch phase {
        case .ready: true
        case .handshake, .greeting, .visiting: false
        }
    }

    var isOutgoing: Bool {
        switch direction {
        case .outgoing: true
        case .incoming: false
        }
    }

    /// When the session ends if none of the queued bytes are written; nil: nothing is queued.
    var readingDeadline: UInt64? { queuedBytes > 0 ? sentAt + Limits.readingDeadlineMilliseconds : nil }

    /// When the session ends if nothing is received.
    var deadline: UInt64 {
        switch phase {
        case .handshake, .greeting: openedAt + Limits.greetingDeadlineMilliseconds
        case .ready: heardAt + Limits.idleTimeoutMilliseconds
        case .visiting(_, let visit): visit.until
        }
    }
}
