package import Entries
package import Sodium

/// Settings of a node that stay the same while it runs.
package struct NodeConfiguration: Sendable {
    package let network: NetworkID
    /// The static key of the channel; its public half is this node's id.
    package let key: AgreementKey
    /// The 32-byte key of a private network's handshake (`NetworkSecret.presharedKey`); nil in an open one.
    package let secret: SecretBytes?
    /// Name of the program, which peers write to their log files; cut to `Limits.maximumAgentBytes` of UTF-8.
    package let agent: String
    /// TCP port on which this node listens; nil: it does not.
    package let listenPort: UInt16?
    /// Whether addresses are exchanged with peers.
    package let exchange: PeerExchange
    /// Newest version of the protocol that is spoken; tests of mixed versions set an older one.
    package let version: UInt32
    /// Optional features that Hello names; tests of mixed versions set fewer.
    let features: Set<UInt32>
    /// Credit in Hello: bytes of chunks and bodies that a peer may send ahead; measurements set other amounts.
    package let credit: UInt64
    /// Newest entries of a log that are asked for first where more are missing; simulations, whose logs are short, set
    /// fewer.
    let windowEntries: UInt64
    /// Most links that are all kept as branches; with more a tree grows (`protocol/node.md` §5).
    package let eagerLinks: Int
    package let bounds: NodeBounds
    /// Identity that writes here; nil: none does, or only the stored own log tells which.
    package let identity: IdentityID?

    package enum PeerExchange: Hashable, Sendable {
        case on
        /// Only listed peers are dialled, and peers are told no addresses.
        case off
    }

    package init(
        network: NetworkID,
        key: AgreementKey,
        secret: SecretBytes? = nil,
        agent: String,
        listenPort: UInt16?,
        exchange: PeerExchange = .on,
        version: UInt32? = nil,
        features: Set<UInt32>? = nil,
        identity: IdentityID? = nil,
        credit: UInt64 = Limits.creditWindowBytes,
        windowEntries: UInt64 = Limits.windowEntries,
        eagerLinks: Int = Limits.eagerLinksCount,
        bounds: NodeBounds = NodeBounds()
    ) {
        self.network = network
        self.key = key
        self.secret = secret
        self.agent = agent
        self.listenPort = listenPort
        self.exchange = exchange
        self.version = version ?? Hello.newestVersion
        // All features belong to version 2.
        self.features = features ?? (self.version >= 2 ? [Hello.windows, Hello.scopes, Hello.branches] : [])
        self.identity = identity
        self.credit = credit
        self.windowEntries = windowEntries
        self.eagerLinks = eagerLinks
        self.bounds = bounds
    }

    package var node: NodeID { NodeID(raw: key.publicKey) }

    /// The agent, cut to what a Hello may carry.
    var shortAgent: String {
        var short = agent
        while short.utf8.count > Limits.maximumAgentBytes { short.removeLast() }
        return short
    }
}
