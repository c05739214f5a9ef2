internal import NIOCore
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Token bucket for incoming connections: the others wait in the kernel's queue, or try again, and cost the node
/// nothing.
///
/// A value without a clock.
struct ArrivalPace: Sendable {
    private let rate: Rate
    /// Tokens, in thousandths of a connection.
    private var room: Int64
    private var seenAt: Int64

    struct Rate: Sendable {
        let atOnce: Int64
        let perSecond: Int64

        static let standard = Rate(
            atOnce: TransportLimits.arrivalsAtOnce,
            perSecond: TransportLimits.arrivalsPerSecond
        )

        /// For this user's own commands: practically unlimited.
        static let ofCommands = Rate(atOnce: 1_000_000, perSecond: 1_000_000)

        /// For one host.
        static let share = Rate(
            atOnce: TransportLimits.arrivalsAtOncePerHost,
            perSecond: TransportLimits.arrivalsPerSecondPerHost
        )

        /// For one site.
        static let siteShare = Rate(
            atOnce: TransportLimits.arrivalsAtOncePerSite,
            perSecond: TransportLimits.arrivalsPerSecondPerSite
        )
    }

    init(_ rate: Rate, now: Int64) {
        self.rate = rate
        room = rate.atOnce * 1_000
        seenAt = now
    }

    /// Charges accepted and refused connections; returns the milliseconds until the next one may be accepted, 0 for at
    /// once.
    mutating func came(_ count: Int, refused: Int = 0, now: Int64) -> Int64 {
        refill(now: now)
        room -= Int64(count) * 1_000 + Int64(refused) * 1_000 / TransportLimits.refusalsPerArrival
        guard room < 1_000 else { return 0 }
        return (1_000 - room + rate.perSecond - 1) / rate.perSecond
    }

    /// Takes a token if there is one; returns whether there was.
    mutating func admit(now: Int64) -> Bool {
        guard hasToken(now: now) else { return false }
        room -= 1_000
        return true
    }

    /// Whether there is a token.
    mutating func hasToken(now: Int64) -> Bool {
        refill(now: now)
        return room >= 1_000
    }

    /// Whether the bucket is full.
    mutating func isRested(now: Int64) -> Bool {
        refill(now: now)
        return room == rate.atOnce * 1_000
    }

    private mutating func refill(now: Int64) {
        room = min(rate.atOnce * 1_000, room + max(0, now - seenAt) * rate.perSecond)
        seenAt = now
    }
}

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

/// Accepts connections at the total and the per-host rate; the listening channel has `autoRead` switched off.
final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// Whether connections from this machine count towards the per-host rate.
    enum Loopback {
        case excepted
        case counted
    }

    private var pace: ArrivalPace
    private var shares: ArrivalShares
    private let loopback: Loopback
    private var admitted = 0
    private var refused = 0
    /// Whether `accept` failed for lack of file descriptors or memory.
    private var isStarved = false

    init(_ rate: ArrivalPace.Rate, share: ArrivalPace.Rate = .share, loopback: Loopback = .excepted) {
        pace = ArrivalPace(rate, now: Self.now)
        shares = ArrivalShares(share)
        self.loopback = loopback
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let guest = unwrapInboundIn(data)
        guard isWelcome(guest) else {
            refused += 1
            // Before anything is set up for it.
            return guest.close(promise: nil)
        }
        admitted += 1
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let pause = pace.came(admitted, refused: refused, now: Self.now)
        let delay = isStarved ? max(pause, TransportLimits.starvedArrivalMilliseconds) : pause
        if isStarved { leaveAlone(context.channel) }
        admitted = 0
        refused = 0
        isStarved = false
        context.fireChannelReadComplete()
        guard delay > 0 else { return context.read() }
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(delay)) { context.read() }
    }

    /// Notes that file descriptors or memory ran out: the connection then stays in the kernel's queue, and an immediate
    /// retry would spin on a whole core. A connection that was reset before `accept` delays nobody.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: isStarved = true
        default: break
        }
        context.fireErrorCaught(error)
    }

    /// Stops polling of the socket until the next `read`: after an error NIO takes the last `read` as still pending and
    /// accepts again at once, unless `autoRead` changes.
    private func leaveAlone(_ channel: any Channel) {
        for value in [true, false] { try? channel.syncOptions?.setOption(.autoRead, value: value) }
    }

    private func isWelcome(_ guest: any Channel) -> Bool {
        // Without an address the connection is closed already.
        guard let host = guest.remoteAddress.flatMap(Connection.host) else { return true }
        switch loopback {
        case .excepted where NodeMachine.isLoopback(host): return true
        case .excepted, .counted: return shares.admit(host, now: Self.now)
        }
    }

    private static var now: Int64 { Int64(SystemClock.monotonicMilliseconds) }
}
