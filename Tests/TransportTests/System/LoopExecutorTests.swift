import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Sync
import Testing

@testable import Transport

/// What waits for another thread goes on where it lives.
@Suite struct LoopExecutorTests {
    private actor Resident {
        private let thread: LoopExecutor

        init() async throws {
            thread = try await LoopExecutor()
        }

        nonisolated var loop: any EventLoop { thread.loop }
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        /// What this waits for comes from a thread of `pool`.
        func wait(for pool: NIOThreadPool) async -> [Bool] {
            var places = [loop.inEventLoop]
            await withCheckedContinuation { continuation in
                pool.submit { _ in continuation.resume() }
            }
            places.append(loop.inEventLoop)
            await nonisolatedWork()
            places.append(loop.inEventLoop)
            preconditionIsolated()
            return places
        }

        nonisolated func run(_ pool: NIOThreadPool) async -> [Bool] {
            await Task(executorPreference: thread) { await self.wait(for: pool) + [self.loop.inEventLoop] }.value
        }

        private nonisolated func nonisolatedWork() async {}
    }

    @Test func `An actor of a loop, and the tasks that prefer it, are on its thread alone`() async throws {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let resident = try await Resident()
        #expect(await resident.run(pool) == [true, true, true, true])
        #expect(await resident.wait(for: pool) == [true, true, true])
        try await pool.shutdownGracefully()
    }

    /// Has work for as long as nothing came by its socket.
    private actor Worker {
        private let thread: LoopExecutor

        private var hasHeard = false

        init() async throws {
            thread = try await LoopExecutor()
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        /// Whether something came within the patience of a test.
        nonisolated func run(_ address: BoundAddress) async -> Bool {
            await Task(executorPreference: thread) {
                await self.work(until: address)
                return await self.hasHeard
            }.value
        }

        private func work(until address: BoundAddress) async {
            let peer = PeerAddress(host: address.host, port: address.port)
            guard case .connected(let connection) = await Dialer(group: thread.loop).dial(peer) else { return }
            let reading = Task(executorPreference: thread) {
                await connection.run(received: { _ in await self.hear() }, sent: { _ in })
            }
            // Answered by nothing but the socket, and only once the work has begun.
            _ = connection.send([0])
            let deadline = SystemClock.monotonicMilliseconds + patience
            // Two of them, so that one is due at each moment.
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        while await !self.hasHeard, SystemClock.monotonicMilliseconds < deadline { await Task.yield() }
                    }
                }
            }
            reading.cancel()
            await reading.value
        }

        private func hear() { hasHeard = true }
    }

    @Test func `A bell whose pipe is gone rings all the same`() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let bell = try await LoopBell(of: group.next())
        let rings = NIOLockedValueBox(0)
        // The second goes while it rings.
        for place in 0..<4 {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                group.next().execute {
                    bell.ring {
                        rings.withLockedValue { $0 += 1 }
                        continuation.resume()
                    }
                    if place == 1 { bell.channel.close(promise: nil) }
                }
            }
        }
        try await group.shutdownGracefully()
        #expect(rings.withLockedValue { $0 } == 4)
    }

    @Test func `Sockets have their turn though there is always something to do`() async throws {
        let listener = try await Listener(
            ListenAddress(host: "127.0.0.1", port: 0),
            group: MultiThreadedEventLoopGroup.singleton
        )
        let serving = Task {
            await listener.run { connection in
                await connection.run(received: { _ = connection.send($0) }, sent: { _ in })
            }
        }
        #expect(try await Worker().run(listener.address))
        serving.cancel()
        await serving.value
    }
}
