import Testing

@testable import Transport

struct ArrivalSharesTests {
    @Test func `Each host has its share, and of IPv6 each network`() {
        var shares = ArrivalShares(ArrivalRate.Bound(atOnce: 2, perSecond: 10))
        func admit(_ host: String, now: Int64) -> Bool { shares.admit(host, now: now) }
        let first = (0..<3).map { _ in admit("192.0.2.1", now: 0) }
        #expect(first == [true, true, false])
        let other = admit("192.0.2.2", now: 0)
        #expect(other)
        let network = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::3"].map { admit($0, now: 0) }
        #expect(network == [true, true, false, true])
        let later = (0..<2).map { _ in admit("192.0.2.1", now: 100) }
        #expect(later == [true, false])
    }

    @Test func `A line with many networks has a site's share`() {
        var shares = ArrivalShares(
            ArrivalRate.Bound(atOnce: 2, perSecond: 10),
            site: ArrivalRate.Bound(atOnce: 3, perSecond: 10)
        )
        let networks = (0..<5).map { shares.admit("2001:db8:7:\($0)::1", now: 0) }
        #expect(networks == [true, true, true, false, false])
        let others = ["2001:db8:8::1", "192.0.2.1"].map { shares.admit($0, now: 0) }
        #expect(others == [true, true])
        // What one network has too much is not taken from the others of its site.
        let one = (0..<6).map { _ in shares.admit("2001:db8:9::1", now: 0) }
        #expect(one == [true, true, false, false, false, false])
        let neighbour = shares.admit("2001:db8:9:1::1", now: 0)
        #expect(neighbour)
        // Nor is what the site has too much taken from the network.
        var once = ArrivalShares(
            ArrivalRate.Bound(atOnce: 1, perSecond: 0),
            site: ArrivalRate.Bound(atOnce: 1, perSecond: 10)
        )
        let both = ["2001:db8:7:1::1", "2001:db8:7:2::1"].map { once.admit($0, now: 0) }
        #expect(both == [true, false])
        let later = once.admit("2001:db8:7:2::1", now: 100)
        #expect(later)
    }

    @Test func `However many hosts come, only so many are remembered`() {
        var shares = ArrivalShares(ArrivalRate.Bound(atOnce: 2, perSecond: 1))
        for host in 0..<10_000 {
            _ = shares.admit("10.0.\(host / 256).\(host % 256)", now: Int64(host))
        }
        #expect(shares.count <= TransportLimits.arrivalHosts)
        // Who has come just now is not forgotten with who came long ago.
        let last = "10.1.0.0"
        let admitted = (0..<3).map { _ in shares.admit(last, now: 10_000) }
        #expect(admitted == [true, true, false])
        for host in 0..<400 { _ = shares.admit("10.2.\(host / 256).\(host % 256)", now: 10_500) }
        let again = shares.admit(last, now: 10_500)
        #expect(!again)
        // Nor do more stay where all of them come at once.
        for host in 0..<10_000 { _ = shares.admit("10.3.\(host / 256).\(host % 256)", now: 10_500) }
        #expect(shares.count <= TransportLimits.arrivalHosts)
    }
}
