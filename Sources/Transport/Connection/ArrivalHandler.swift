internal import NIOCore
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Accepts connections at the total and the per-host rate; the listening channel has `autoRead` switched off.
final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Whether connections from this machine count towards the per-host rate.
    enum Loopback {
        case excepted
        case counted
    }

    private var rate: ArrivalRate
    private var shares: ArrivalShares
    private let loopback: Loopback
    private var admitted = 0
    private var refused = 0
    /// Whether `accept` failed for lack of file descriptors or memory.
    private var isStarved = false

    init(_ bound: ArrivalRate.Bound, share: ArrivalRate.Bound = .share, loopback: Loopback = .excepted) {
        rate = ArrivalRate(bound, now: Self.now)
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
        let pause = rate.came(admitted, refused: refused, now: Self.now)
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
