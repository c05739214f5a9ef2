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

    /// Queues work on the next thread by turns; after the end it is dropped.
    func submit(_ body: @escaping @Sendable () -> Void) {
        submit(to: 1, body)
    }

    /// Queues work on so many threads at once, on all if there are fewer: whichever has a core begins. After the end it
    /// is dropped.
    func submit(to number: Int, _ body: @escaping @Sendable () -> Void) {
        let first = UInt(bitPattern: turn.wrappingAdd(1, ordering: .relaxed).oldValue)
        for step in 0..<UInt(min(number, count)) {
            pools[Int((first &+ step) % UInt(count))].submit { state in
                if case .active = state { body() }
            }
        }
    }
}
