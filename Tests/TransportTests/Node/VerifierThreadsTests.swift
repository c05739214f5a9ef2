import Dispatch
import NIOPosix
import Synchronization
import Testing

@testable import Transport

@Suite struct VerifierThreadsTests {
    private func started(_ count: Int) -> VerifierThreads {
        let threads = VerifierThreads(threads: count)
        threads.start()
        return threads
    }

    private func end(_ threads: VerifierThreads) async throws {
        for pool in threads.pools {
            try await pool.runIfActive {}
            try await pool.shutdownGracefully()
        }
    }

    @Test(arguments: [1, 2, 9]) func `Work runs on as many threads as it is for, and on each once`(number: Int)
        async throws
    {
        let threads = started(2)
        let runs = Atomic(0)
        threads.submit(to: number) { runs.add(1, ordering: .sequentiallyConsistent) }
        try await end(threads)
        #expect(runs.load(ordering: .sequentiallyConsistent) == min(number, 2))
    }

    @Test func `A busy thread holds up nobody, whichever it is`() async throws {
        let threads = started(2)
        for _ in 0..<2 {
            let (gate, begun, ran) = (
                DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
            )
            threads.submit {
                begun.signal()
                gate.wait()
            }
            threads.submit(to: 2) { ran.signal() }
            let isEarly = await Self.isSignalled(ran)
            gate.signal()
            let isLate = await Self.isSignalled(ran)
            #expect(isEarly && isLate)
            // The next round holds the other thread.
            threads.submit {}
        }
        try await end(threads)
    }

    @Test func `Two pieces of work are on two threads`() async throws {
        let threads = started(2)
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let met = Atomic(0)
        threads.submit {
            first.signal()
            if second.wait(timeout: .now() + .seconds(60)) == .success { met.add(1, ordering: .sequentiallyConsistent) }
        }
        threads.submit {
            second.signal()
            if first.wait(timeout: .now() + .seconds(60)) == .success { met.add(1, ordering: .sequentiallyConsistent) }
        }
        try await end(threads)
        #expect(met.load(ordering: .sequentiallyConsistent) == 2)
    }

    /// Waits on a thread of its own: the runtime's are few.
    private static func isSignalled(_ semaphore: DispatchSemaphore) async -> Bool {
        await withCheckedContinuation { waiting in
            DispatchQueue.global().async {
                waiting.resume(returning: semaphore.wait(timeout: .now() + .seconds(60)) == .success)
            }
        }
    }
}
