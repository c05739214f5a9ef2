import NIOPosix
import Testing

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
}
