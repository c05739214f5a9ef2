internal import NIOCore
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How fast a node takes connections in: the others wait in the kernel's queue, or knock again, and cost it nothing.
///
/// A value without a clock: so many may come at once, and from then on so many a second.
struct ArrivalPace: Sendable {
    private let rate: Rate
    /// Thousandths of a connection that may come now.
    private var room: Int64
    private var seenAt: Int64

    struct Rate: Sendable {
        let atOnce: Int64
        let perSecond: Int64

        static let standard = Rate(
            atOnce: TransportLimits.arrivalsAtOnce,
            perSecond: TransportLimits.arrivalsPerSecond
        )

        /// Of this user's own commands: more than there ever are.
        static let ofCommands = Rate(atOnce: 1_000_000, perSecond: 1_000_000)

        /// Of one host.
        static let share = Rate(
            atOnce: TransportLimits.arrivalsAtOncePerHost,
            perSecond: TransportLimits.arrivalsPerSecondPerHost
        )
    }

    init(_ rate: Rate, now: Int64) {
        self.rate = rate
        room = rate.atOnce * 1_000
        seenAt = now
    }

    /// Notes connections that have come, and how many more were closed at once; says in how many milliseconds the next may.
    mutating func came(_ count: Int, refused: Int = 0, now: Int64) -> Int64 {
        refill(now: now)
        room -= Int64(count) * 1_000 + Int64(refused) * 1_000 / TransportLimits.refusalsPerArrival
        guard room < 1_000 else { return 0 }
        return (1_000 - room + rate.perSecond - 1) / rate.perSecond
    }

    /// Takes one in, if one may come now.
    mutating func admit(now: Int64) -> Bool {
        refill(now: now)
        guard room >= 1_000 else { return false }
        room -= 1_000
        return true
    }

    /// As many may come at once as ever.
    mutating func isRested(now: Int64) -> Bool {
        refill(now: now)
        return room == rate.atOnce * 1_000
    }

    private mutating func refill(now: Int64) {
        room = min(rate.atOnce * 1_000, room + max(0, now - seenAt) * rate.perSecond)
        seenAt = now
    }
}

/// The share of each host in that pace, so that one that knocks as fast as it can keeps nobody else out (`protocol/sync.md`
/// §11).
struct ArrivalShares {
    private let rate: ArrivalPace.Rate
    private var paces: [HostNetwork: ArrivalPace] = [:]

    init(_ rate: ArrivalPace.Rate) {
        self.rate = rate
    }

    var count: Int { paces.count }

    /// Takes one in from a host, if it may come now.
    mutating func admit(_ host: HostNetwork, now: Int64) -> Bool {
        if paces.count >= TransportLimits.arrivalHosts, paces[host] == nil { forget(now: now) }
        return paces[host, default: ArrivalPace(rate, now: now)].admit(now: now)
    }

    /// Who has not come for a while is as good as unknown. The pace of all together lets in too few for so many others.
    private mutating func forget(now: Int64) {
        paces = paces.filter { pace in
            var pace = pace.value
            return !pace.isRested(now: now)
        }
        if paces.count >= TransportLimits.arrivalHosts { paces = [:] }
    }
}

/// Accepts at that pace; the listening channel has `autoRead` switched off.
final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    /// Whether programs of this machine share as other hosts do.
    enum Loopback {
        case excepted
        case counted
    }

    private var pace: ArrivalPace
    private var shares: ArrivalShares
    private let loopback: Loopback
    private var admitted = 0
    private var refused = 0
    /// The system had nothing left to take a connection in with.
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

    /// Where files or memory are used up the connection stays in the system's queue, and the next look finds it again: at once
    /// that would take a whole core. One that was broken off before it was taken in costs nobody else anything.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: isStarved = true
        default: break
        }
        context.fireErrorCaught(error)
    }

    /// Has the loop leave the socket alone until the next `read`: behind an error NIO takes the last one for not answered yet, and
    /// looks again at once. Only where `autoRead` changes does it stop.
    private func leaveAlone(_ channel: any Channel) {
        for value in [true, false] { try? channel.syncOptions?.setOption(.autoRead, value: value) }
    }

    private func isWelcome(_ guest: any Channel) -> Bool {
        // Without an address it is gone already.
        guard let host = guest.remoteAddress.flatMap(Connection.host) else { return true }
        switch loopback {
        case .excepted where NodeMachine.isLoopback(host): return true
        case .excepted, .counted: return shares.admit(HostNetwork(host), now: Self.now)
        }
    }

    private static var now: Int64 { Int64(SystemClock.monotonicMilliseconds) }
}
