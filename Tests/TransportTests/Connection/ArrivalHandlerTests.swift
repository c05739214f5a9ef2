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

/// Connections come in at a rate, however fast somebody knocks.
struct ArrivalHandlerTests {
    @Test func `A listener takes in no more than that`() async throws {
        let listener = try await Listener(
            ListenAddress(host: "127.0.0.1", port: 0),
            rate: ArrivalRate.Bound(atOnce: 2, perSecond: 40),
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

    @Test(.timeLimit(.minutes(5)))
    func `Programs of this machine are let in beyond a host's share`() async throws {
        let listener = try await Listener(
            ListenAddress(host: "127.0.0.1", port: 0),
            share: ArrivalRate.Bound(atOnce: 2, perSecond: 0),
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
                share: ArrivalRate.Bound(atOnce: 2, perSecond: 0),
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
