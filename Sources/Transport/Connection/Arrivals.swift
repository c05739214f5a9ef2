internal import NIOCore

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
    }

    init(_ rate: Rate, now: Int64) {
        self.rate = rate
        room = rate.atOnce * 1_000
        seenAt = now
    }

    /// Notes connections that have come, and says in how many milliseconds the next may.
    mutating func came(_ count: Int, now: Int64) -> Int64 {
        room = min(rate.atOnce * 1_000, room + max(0, now - seenAt) * rate.perSecond) - Int64(count) * 1_000
        seenAt = now
        guard room < 1_000 else { return 0 }
        return (1_000 - room + rate.perSecond - 1) / rate.perSecond
    }
}

/// Accepts at that pace; the listening channel has `autoRead` switched off.
final class ArrivalHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel

    private var pace: ArrivalPace
    private var count = 0

    init(_ rate: ArrivalPace.Rate) {
        pace = ArrivalPace(rate, now: Self.now)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        count += 1
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let delay = pace.came(count, now: Self.now)
        count = 0
        context.fireChannelReadComplete()
        guard delay > 0 else { return context.read() }
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(delay)) { context.read() }
    }

    private static var now: Int64 { Int64(SystemClock.monotonicMilliseconds) }
}
