import NIOCore
import NIOPosix
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Transport

@Suite struct ConnectionTests {
    private let group = MultiThreadedEventLoopGroup.singleton

    @Test func `Connections above the limit of an address are closed at once, and a place becomes free again`()
        async throws
    {
        let limit = Guests.Limit(all: 10, perHost: 1)
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), limit: limit, group: group)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Connection.self)
        let serving = Task {
            await listener.run { connection in
                arrival.yield(connection)
                await connection.run(received: { _ in }, sent: { _ in })
            }
        }
        let port = listener.address.port
        var guests = arrivals.makeAsyncIterator()
        let first = try RawSocket(port: port)
        let connection = try #require(await guests.next())
        let isRefused = try await blocking { try RawSocket(port: port).isClosedByPeer() }
        #expect(isRefused)
        connection.abort()
        #expect(first.isClosedByPeer())
        // The place is given back by the event loop, a moment after the other side sees the end.
        try await connection.channel.closeFuture.get()
        let third = try RawSocket(port: port)
        third.send([1])
        #expect(await guests.next() != nil)
        serving.cancel()
        await serving.value
        #expect(third.isClosedByPeer())
    }

    @Test(.disabled(if: Sanitizer.isPresent, "two megabytes are to go out within a second"))
    func `What was pushed before the end still goes out, in order`() async throws {
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let piece = [UInt8](repeating: 7, count: 100_000)
        let serving = Task {
            await listener.run { connection in
                for _ in 0..<20 { #expect(connection.send(piece) == .queued) }
                connection.close()
                await connection.run(received: { _ in }, sent: { _ in })
            }
        }
        let outcome = await Dialer(group: group).dial(PeerAddress(host: "127.0.0.1", port: listener.address.port))
        guard case .connected(let connection) = outcome else {
            Issue.record("no connection: \(outcome)")
            return
        }
        let received = Mutex(0)
        await connection.run(received: { bytes in received.withLock { $0 += bytes.count } }, sent: { _ in })
        #expect(received.withLock { $0 } == 2_000_000)
        serving.cancel()
    }

    @Test func `What is sent on the loop has left before its thread does anything else`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Connection.self)
        let (spoken, word) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            await listener.run { connection in
                arrival.yield(connection)
                await connection.run(received: { _ in word.yield() }, sent: { _ in })
            }
        }
        let socket = try RawSocket(port: listener.address.port)
        var guests = arrivals.makeAsyncIterator()
        let connection = try #require(await guests.next())
        // It is taken before it is active.
        socket.send([0])
        var words = spoken.makeAsyncIterator()
        await words.next()
        let heard = try await connection.channel.eventLoop.submit {
            _ = connection.send([1, 2, 3])
            // The loop's own thread waits.
            return socket.read(atMost: 3)
        }.get()
        #expect(heard == [1, 2, 3])
        serving.cancel()
        await serving.value
        try await group.shutdownGracefully()
    }

    @Test(arguments: [true, false])
    func `A connection that is ended before it is active is over`(atOnce: Bool) async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Connection.self)
        let bootstrap = ServerBootstrap(group: group).childChannelInitializer { channel in
            Connection.take(channel).map { connection in
                if atOnce { connection.abort() } else { connection.close() }
                arrival.yield(connection)
            }
        }
        let server = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let socket = try RawSocket(port: UInt16(try #require(server.localAddress?.port)))
        var guests = arrivals.makeAsyncIterator()
        let connection = try #require(await guests.next())
        await connection.run(received: { _ in }, sent: { _ in })
        #expect(socket.isClosedByPeer())
        try await server.close()
    }

    @Test func `What is answered to the last words of a cancelled connection still goes out`() async throws {
        for _ in 0..<20 {
            let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let serving = Task {
                await listener.run { connection in
                    await connection.run(
                        received: { bytes in
                            ask.finish()
                            // Ends with the task.
                            for await _ in AsyncStream<Void>.makeStream().stream {}
                            #expect(connection.send(bytes) == .queued)
                        },
                        sent: { _ in }
                    )
                }
            }
            let guest = try RawSocket(port: listener.address.port)
            guest.send([7])
            for await _ in asked {}
            serving.cancel()
            #expect(guest.read(atMost: 1) == [7])
            await serving.value
        }
    }

    @Test func `A reader that is slower than its limit is told apart`() {
        let outbox = Outbox()
        let half = [UInt8](repeating: 0, count: TransportLimits.outboundBytes / 2)
        #expect(outbox.push(half) == .queued)
        #expect(outbox.push(half) == .queued)
        #expect(outbox.push([0]) == .full)
        outbox.finish()
        #expect(outbox.push([0]) == .closed)
    }

    @Test func `What keeps a connection from being made has a name`() async throws {
        let dialer = Dialer(group: group)
        // No server is asked for a name like this.
        let nobody = String(repeating: "x", count: 64) + ".invalid"
        #expect(await failure(dialer, nobody, 7776) == .nameNotFound)
        let closed = try ClosedPort()
        #expect(await failure(dialer, "127.0.0.1", closed.number) == .refused)
    }

    private func failure(_ dialer: Dialer, _ host: String, _ port: UInt16) async -> DialFailure? {
        switch await dialer.dial(PeerAddress(host: host, port: port)) {
        case .failed(let failure): return failure
        case .connected(let connection):
            connection.abort()
            return nil
        }
    }

    @Test func `A cancelled dial returns at once`() async {
        // An address of documentation that nobody answers at; where there is no route it fails at once, which is fine.
        let dialling = Task { await Dialer(group: group).dial(PeerAddress(host: "192.0.2.1", port: 9)) }
        dialling.cancel()
        if case .connected = await dialling.value { Issue.record("nobody is there") }
    }
}
