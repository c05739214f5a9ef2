package import Entries
package import Sodium

/// What a node is told once and for all when it starts.
package struct NodeConfiguration: Sendable {
    package let network: NetworkID
    /// The static key of the channel; its public half is this node's id.
    package let key: AgreementKey
    /// The 32-byte key of a private network's handshake (`NetworkSecret.presharedKey`); nil in an open one.
    package let secret: SecretBytes?
    /// Told to peers for their logs, at most `Limits.maximumAgentBytes` of UTF-8.
    package let agent: String
    /// Where this node listens; nil if it does not.
    package let listenPort: UInt16?
    /// Whether addresses are told to peers and taken from them.
    package let exchange: PeerExchange
    /// The newest version of the protocol that is spoken: an older one for tests of old and new together.
    package let version: UInt32
    /// Optional features that Hello names: fewer for tests of old and new together.
    let features: Set<UInt32>
    /// Bytes of chunks and bodies that peers may send ahead: other amounts for measurements of what they do with it.
    package let credit: UInt64
    /// Entries of a log that are asked for first where more are missing: fewer for simulations, whose logs are short.
    let windowEntries: UInt64
    /// Links that are all branches; of more a tree grows.
    package let eagerLinks: Int
    package let bounds: NodeBounds
    /// Who writes here; nil: nobody, or it is told by what is held of the own log.
    package let identity: IdentityID?

    package enum PeerExchange: Hashable, Sendable {
        case on
        /// Only listed peers are dialled, and nobody is told about them.
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
        eagerLinks: Int = GossipLimits.eagerLinksCount,
        bounds: NodeBounds = NodeBounds()
    ) {
        self.network = network
        self.key = key
        self.secret = secret
        self.agent = agent
        self.listenPort = listenPort
        self.exchange = exchange
        self.version = version ?? Hello.newestVersion
        // Of what came with version 2 an earlier one knows nothing.
        self.features = features ?? (self.version >= 2 ? [Hello.windows, Hello.scopes, Hello.branches] : [])
        self.identity = identity
        self.credit = credit
        self.windowEntries = windowEntries
        self.eagerLinks = eagerLinks
        self.bounds = bounds
    }

    package var node: NodeID { NodeID(raw: key.publicKey) }

    /// As much of the agent as a Hello may carry.
    var shortAgent: String {
        var short = agent
        while short.utf8.count > Limits.maximumAgentBytes { short.removeLast() }
        return short
    }
}
