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
        /// Both have said Hello, and there is no room: the other side may ask for addresses.
        case visiting(NodeID, Visit)
    }

    /// A guest's time (`protocol/sync.md §11`).
    struct Visit {
        /// Monotonic milliseconds.
        var until: UInt64
        var isAnswered = false
    }

    /// What a connection was let in for.
    enum Admission: Hashable {
        case peer
        /// To be told of others.
        case guest
    }

    let id: SessionID
    let direction: Direction
    /// What was dialled, or where the connection came from.
    let address: PeerAddress?
    let openedAt: UInt64
    var admission: Admission
    var phase = Phase.handshake
    @Boxed var channel: SecureChannel
    var unread = Unread()
    /// Any byte counts: what is slow is not dead.
    var heardAt: UInt64
    /// Messages of this event, sealed together at its end.
    var outbox: [Frame] = []
    var outboxBytes = 0
    /// Bytes handed over and not yet gone into the network.
    var queuedBytes = 0
    /// Why one of the two sides will not have this connection.
    var refusal: Goodbye?
    /// When some of them last went, or there were none.
    var sentAt: UInt64
    var bytesReceived: UInt64 = 0
    var bytesSent: UInt64 = 0
    /// Items of the frontier within this side's scope, as its Hello said.
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

    /// What waits for the network, or for the end of this event.
    var waitingBytes: Int { queuedBytes + outboxBytes }

    var node: NodeID? {
        switch phase {
        case .handshake: nil
        case .greeting(let node), .ready(let node), .visiting(let node, _): node
        }
    }

    var isOutgoing: Bool {
        switch direction {
        case .outgoing: true
        case .incoming: false
        }
    }

    /// When it is over if nothing of what is queued leaves; nil: nothing is queued.
    var readingDeadline: UInt64? { queuedBytes > 0 ? sentAt + Limits.readingDeadlineMilliseconds : nil }

    /// When this session is over if nothing is heard.
    var deadline: UInt64 {
        switch phase {
        case .handshake, .greeting: openedAt + Limits.greetingDeadlineMilliseconds
        case .ready: heardAt + Limits.idleTimeoutMilliseconds
        case .visiting(_, let visit): visit.until
        }
    }
}
