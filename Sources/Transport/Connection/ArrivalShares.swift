internal import Sync

/// A token bucket for each network.
private struct ArrivalBuckets {
    private let rate: ArrivalPace.Rate
    private var paces: [HostNetwork: ArrivalPace] = [:]

    init(_ rate: ArrivalPace.Rate) {
        self.rate = rate
    }

    var count: Int { paces.count }

    /// Takes a token of the network's bucket if there is one; returns whether there was.
    mutating func admit(_ network: HostNetwork, now: Int64) -> Bool {
        if paces.count >= TransportLimits.arrivalHosts, paces[network] == nil { forget(now: now) }
        return paces[network, default: ArrivalPace(rate, now: now)].admit(now: now)
    }

    /// Whether the network's bucket has a token.
    mutating func hasToken(_ network: HostNetwork, now: Int64) -> Bool { paces[network]?.hasToken(now: now) ?? true }

    /// Drops full buckets, which say nothing. Drops all if the table stays full: the total rate admits too few
    /// connections for that.
    private mutating func forget(now: Int64) {
        paces = paces.filter { pace in
            var pace = pace.value
            return !pace.isRested(now: now)
        }
        if paces.count >= TransportLimits.arrivalHosts { paces = [:] }
    }
}

/// What each host, and all hosts of a site together, may take of the rate: a host that floods, or a line with many
/// networks, keeps no other out (`protocol/node.md` §11).
struct ArrivalShares {
    private var hosts: ArrivalBuckets
    private var sites: ArrivalBuckets

    init(_ host: ArrivalPace.Rate, site: ArrivalPace.Rate = .siteShare) {
        hosts = ArrivalBuckets(host)
        sites = ArrivalBuckets(site)
    }

    /// Hosts that are remembered.
    var count: Int { hosts.count }

    /// Takes a token of the host and one of its site; takes none and returns false if one of the two has none.
    mutating func admit(_ host: String, now: Int64) -> Bool {
        let site = HostNetwork.site(of: host)
        return sites.hasToken(site, now: now) && hosts.admit(HostNetwork(host), now: now)
            && sites.admit(site, now: now)
    }
}
