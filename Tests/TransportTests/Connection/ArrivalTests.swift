import NIOCore
import NIOEmbedded
import NIOPosix
import Sync
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@testable import Transport

/// Connections come in at a pace, however fast somebody knocks.
@Suite struct ArrivalTests {
    @Test func `So many come at once, and then so many a second`() {
        var pace = ArrivalPace(ArrivalPace.Rate(atOnce: 3, perSecond: 10), now: 0)
        #expect(pace.came(2, now: 0) == 0)
        #expect(pace.came(1, now: 0) == 100)
        #expect(pace.came(1, now: 100) == 100)
        // What was not used does not add up beyond what may come at once.
        #expect(pace.came(0, now: 100_000) == 0)
        #expect(pace.came(3, now: 100_000) == 100)
        // More than were due, in one go: the next waits for all of them.
        #expect(pace.came(4, now: 100_100) == 400)
    }

    @Test func `A listener takes in no more than that`() async throws {
        let listener = try await Listener(
            ListenAddress(host: "127.0.0.1", port: 0),
            rate: ArrivalPace.Rate(atOnce: 2, perSecond: 40),
            group: MultiThreadedEventLoopGroup.singleton
        )
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            await listener.run { connection in
                arrival.yield()
                await connection.run(received: { _ in }, sent: { _ in })
            }
        }
        let began = SystemClock.monotonicMilliseconds
        let port = listener.address.port
        let sockets = try (0..<24).map { _ in try RawSocket(port: port) }
        var guests = arrivals.makeAsyncIterator()
        for _ in sockets { await guests.next() }
        // One look at the kernel's queue brings four at most.
        #expect(SystemClock.monotonicMilliseconds - began >= (24 - 2 - 4) * 1_000 / 40)
        serving.cancel()
        await serving.value
    }

    @Test func `What was closed at once costs an eighth`() {
        var pace = ArrivalPace(ArrivalPace.Rate(atOnce: 3, perSecond: 10), now: 0)
        #expect(pace.came(1, refused: 8, now: 0) == 0)
        #expect(pace.came(0, refused: 8, now: 0) == 100)
    }

    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = NIOAny
        private(set) var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test(arguments: [(EMFILE, 4), (ENFILE, 4), (ECONNABORTED, 31)] as [(Int32, Int)])
    func `Where files are used up it looks again after a second`(code: Int32, reads: Int) throws {
        let counter = ReadCounter()
        let channel = EmbeddedChannel(handlers: [counter, ArrivalHandler(.standard)])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        #expect(counter.count == 1)
        for _ in 0..<3 {
            // As often as it looks.
            for _ in 0..<10 where counter.count < 100 {
                let before = counter.count
                channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
                channel.pipeline.fireChannelReadComplete()
                if counter.count == before { break }
            }
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(counter.count == reads, "\(counter.count)")
    }

    @Test func `Each host has its share, and of IPv6 each network`() {
        var shares = ArrivalShares(ArrivalPace.Rate(atOnce: 2, perSecond: 10))
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
            ArrivalPace.Rate(atOnce: 2, perSecond: 10),
            site: ArrivalPace.Rate(atOnce: 3, perSecond: 10)
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
            ArrivalPace.Rate(atOnce: 1, perSecond: 0),
            site: ArrivalPace.Rate(atOnce: 1, perSecond: 10)
        )
        let both = ["2001:db8:7:1::1", "2001:db8:7:2::1"].map { once.admit($0, now: 0) }
        #expect(both == [true, false])
        let later = once.admit("2001:db8:7:2::1", now: 100)
        #expect(later)
    }

    @Test func `However many hosts come, only so many are remembered`() {
        var shares = ArrivalShares(ArrivalPace.Rate(atOnce: 2, perSecond: 1))
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

    @Test(.timeLimit(.minutes(1)))
    func `Programs of this machine are let in beyond a host's share`() async throws {
        let listener = try await Listener(
            ListenAddress(host: "127.0.0.1", port: 0),
            share: ArrivalPace.Rate(atOnce: 2, perSecond: 0),
            group: MultiThreadedEventLoopGroup.singleton
        )
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            await listener.run { connection in
                arrival.yield()
                await connection.run(received: { _ in }, sent: { _ in })
            }
        }
        let port = listener.address.port
        let sockets = try (0..<12).map { _ in try RawSocket(port: port) }
        var guests = arrivals.makeAsyncIterator()
        var count = 0
        while count < sockets.count, await guests.next() != nil { count += 1 }
        #expect(count == sockets.count)
        serving.cancel()
        await serving.value
    }

    #if os(Linux)
        @Test func `A host that knocks without end keeps nobody else out`() async throws {
            let listener = try await Listener(
                ListenAddress(host: "127.0.0.1", port: 0),
                limit: Guests.Limit(all: 1_000, perHost: 1_000),
                share: ArrivalPace.Rate(atOnce: 2, perSecond: 0),
                loopback: .counted,
                group: MultiThreadedEventLoopGroup.singleton
            )
            let (words, word) = AsyncStream.makeStream(of: Void.self)
            let serving = Task {
                await listener.run { connection in
                    await connection.run(received: { _ in word.yield() }, sent: { _ in })
                }
            }
            let port = listener.address.port
            let sockets = try (0..<200).map { _ in try RawSocket(port: port) }
            #expect(sockets.suffix(100).allSatisfy { $0.isClosedByPeer() })
            // All of 127.0.0.0/8 is this machine.
            let other = try RawSocket(port: port, from: 0x7F00_0002)
            other.send([1])
            var guests = words.makeAsyncIterator()
            await guests.next()
            serving.cancel()
            await serving.value
        }
    #endif
}
