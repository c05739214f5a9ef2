internal import Sync

/// A token bucket for each network.
private struct ArrivalBuckets {
    private let bound: ArrivalRate.Bound
    private var rates: [HostNetwork: ArrivalRate] = [:]

    init(_ bound: ArrivalRate.Bound) {
        self.bound = bound
    }

    var count: Int { rates.count }

    /// Takes a token of the network's bucket if there is one; returns whether there was.
    mutating func admit(_ network: HostNetwork, now: Int64) -> Bool {
        if rates.count >= TransportLimits.arrivalHosts, rates[network] == nil { forget(now: now) }
        return rates[network, default: ArrivalRate(bound, now: now)].admit(now: now)
    }

    /// Whether the network's bucket has a token.
    mutating func hasToken(_ network: HostNetwork, now: Int64) -> Bool { rates[network]?.hasToken(now: now) ?? true }

    /// Drops full buckets, which say nothing. Drops all if the table stays full: the total rate admits too few
    /// connections for that.
    private mutating func forget(now: Int64) {
        rates = rates.filter { rate in
            var rate = rate.value
            return !rate.isRested(now: now)
        }
        if rates.count >= TransportLimits.arrivalHosts { rates = [:] }
    }
}

/// What each host, and all hosts of a site together, may take of the rate: a host that floods, or a line with many
/// networks, keeps no other out (`protocol/node.md` §11).
///
/// Counts connections; bounds: `ArrivalRate.Bound.share` and `.siteShare`. Refuses: a connection beyond its share is
/// closed.
struct ArrivalShares {
    private var hosts: ArrivalBuckets
    private var sites: ArrivalBuckets

    init(_ host: ArrivalRate.Bound, site: ArrivalRate.Bound = .siteShare) {
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
