/// Connections and addresses (`protocol/node.md` §10, §11).
extension Limits {
    /// Connections at once, in both directions: each costs its credit window in memory.
    package static let sessionsCount = 64
    /// Connections among them that others dialled: a flood of these cannot keep this node from calling peers that it
    /// trusts.
    static let incomingSessionsCount = 48
    /// Incoming connections among them whose node id is not known yet.
    static let strangersCount = 16
    /// Strangers' connections from one host.
    static let strangersPerHostCount = 4
    /// Strangers' connections from one site, that is a /48 of IPv6: half of all, since a line at home has many /64s.
    static let strangersPerSiteCount = strangersCount / 2
    /// Time for which a stranger's place is safe from eviction: the handshake takes two round trips. A guess.
    static let strangerMilliseconds: UInt64 = 1_000
    /// Guests: incoming connections beyond `sessionsCount` that are only told addresses of other nodes, and closed. As
    /// many newcomers a second are served, since the dialogue takes one. A guess.
    package static let guestsCount = 8
    /// Guests from one host. A guess.
    static let guestsPerHostCount = 2
    /// From a guest's Hello to the end, if it asks for nothing: its question is on its way behind its Hello. A guess.
    static let guestMilliseconds: UInt64 = 5_000
    /// From the answer to a guest to the end, two round trips of a slow link: TCP resets a connection that is closed
    /// while bytes lie there unread, and the answer may be lost with it.
    static let guestLingerMilliseconds: UInt64 = 1_000
    /// Connections up to which learned addresses are dialled; `incomingNeighboursCount` says which of them count.
    static let wantedSessionsCount = 8
    /// Links dialled by others that count among `wantedSessionsCount`, at most: whoever holds many leaves this node
    /// half of its neighbours to choose itself. Connections without a Hello do not count, since saying nothing is free.
    static let incomingNeighboursCount = 4
    /// Dials under way at once.
    static let dialsCount = 8
    /// Learned addresses.
    static let learnedPeersCount = 256
    /// Addresses learned from one peer, or from all peers that dialled from one site, so that none can fill the list.
    static let learnedPeersPerPeerCount = 32
    /// Addresses of one host, counted apart for nodes that dialled and said so themselves, nodes that others told of,
    /// and nodes found on the local network: a household behind one address. A guess.
    static let learnedPeersPerHostCount = 4
    /// Learned addresses at one site (`HostNetwork.site`), whoever told of them: as many as from one peer, since a home
    /// line may have 256 networks, with as many hosts and keys in each as it likes.
    static let learnedPeersPerSiteCount = learnedPeersPerPeerCount
    /// Addresses found on the local network and not reached yet: a lecture hall. A guess.
    static let foundPeersCount = 64
    /// New addresses taken from the local network within `foundPeersWindowMilliseconds`, whoever announces them. A
    /// guess.
    static let foundPeersAtOnceCount = 16
    /// Window over which `foundPeersAtOnceCount` counts.
    static let foundPeersWindowMilliseconds: UInt64 = 10_000
    /// Delay until a learned address at which this node itself answers is dialled again: addresses change hands. A
    /// guess.
    static let ownAddressMilliseconds: UInt64 = 3_600_000
    /// Delay until an address is dialled again whose name could not be looked up, since other names were: as long as a
    /// name server that does not answer takes. A guess.
    static let busyNamesMilliseconds: UInt64 = 10_000
    /// Failed dials in a row that a learned address survives; the next one removes it.
    static let learnedPeerAttempts = 8
    /// Least time between two PeersWanted of one link that are answered.
    static let peersWantedMilliseconds: UInt64 = 60_000
    /// Time between two PeersWanted of this node, besides those on new links, and between two on one link: it keeps
    /// what the node knows of others fresh, and costs some 2 KB. A guess.
    static let peersRenewalMilliseconds: UInt64 = 1_800_000
    /// Time for which a peer that was connected is worth telling others about: a day.
    static let peerFreshMilliseconds: UInt64 = 86_400_000
    /// First backoff after a connection that ended or failed; it doubles to `dialRetryMaximumMilliseconds`, with
    /// jitter.
    static let dialRetryMilliseconds = 1_000
    /// Longest backoff of a dial: 5 minutes.
    static let dialRetryMaximumMilliseconds = 300_000
    /// Life of a connection that proves the address good: the backoff begins anew.
    static let steadySessionMilliseconds: UInt64 = 10_000
    /// First ban of a peer that broke the protocol: 10 minutes, doubling to a day.
    static let penaltyMilliseconds = 600_000
    /// Longest ban.
    static let penaltyMaximumMilliseconds = 86_400_000
    /// First backoff for a node that speaks no common version, or no scopes, until a person changes something: 10
    /// minutes, doubling to a day.
    static let refusalMilliseconds = 600_000
    /// Longest such backoff.
    static let refusalMaximumMilliseconds = 86_400_000
    /// Connections replaced within `rivalryMilliseconds`, while this node had no newer one, from which it concludes
    /// that another node has its key.
    static let rivalryCount = 3
    /// Window over which `rivalryCount` counts.
    static let rivalryMilliseconds: UInt64 = 60_000
    /// The time in which a thing of one kind that a host did wrong is told once (`Complaints`): ten minutes fill no
    /// log, and whoever looks after a fault sees it again.
    static let complaintMilliseconds: UInt64 = 600_000
    /// Bans remembered, and complaints; the soonest to end makes room.
    static let penaltiesCount = 4_096
}
