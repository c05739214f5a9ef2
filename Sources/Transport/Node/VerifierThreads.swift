internal import NIOPosix
internal import Synchronization

/// The threads that check signatures and hashes, a pool for each, since each keeps to a part of the cores.
///
/// Where a virtual machine's host tells it which of its cores run (`vcpu_is_preempted`), Linux takes an idle core for
/// one that is taken away, and wakes a thread where it ran last: two of them then ran one behind the other, on one
/// core.
final class VerifierThreads: Sendable {
    let pools: [NIOThreadPool]
    private let turn = Atomic(0)

    init(threads: Int) {
        pools = (0..<threads).map { _ in NIOThreadPool(numberOfThreads: 1) }
    }

    var count: Int { pools.count }

    func start() {
        for (index, pool) in pools.enumerated() {
            pool.start()
            pool.submit { [count] state in
                // What is refused runs on the caller's thread.
                if case .active = state { Cores.take(index, of: count) }
            }
        }
    }

    /// Queues work on the threads by turns, each with its thread's number; after the end it is dropped.
    func submit(_ body: @escaping @Sendable (Int) -> Void) {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        submit(to: Int(UInt(bitPattern: turn) % UInt(count)), body)
    }

    /// Queues work on so many other threads than this one.
    func submit(besides thread: Int, _ number: Int, _ body: @escaping @Sendable (Int) -> Void) {
        for step in 1..<min(number + 1, count) { submit(to: (thread + step) % count, body) }
    }

    private func submit(to thread: Int, _ body: @escaping @Sendable (Int) -> Void) {
        pools[thread].submit { state in
            if case .active = state { body(thread) }
        }
    }
}
