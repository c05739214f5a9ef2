internal import NIOPosix
internal import Synchronization

/// The threads that check signatures and hashes, a pool for each, since each has cores of its own.
///
/// In a virtual machine Linux leaves a thread on the core on which it last ran, though another one idles: an idle core
/// counts as taken by the host (`available_idle_cpu`, `vcpu_is_preempted`), and two checkers run one behind the other.
final class Checkers: Sendable {
    let pools: [NIOThreadPool]
    private let turn = Atomic(0)

    init(threads: Int) {
        pools = (0..<threads).map { _ in NIOThreadPool(numberOfThreads: 1) }
    }

    var count: Int { pools.count }

    func start() {
        for (index, pool) in pools.enumerated() {
            pool.start()
            pool.submit { [count] _ in Cores.take(index, of: count) }
        }
    }

    /// Queues work on the threads by turns; after the end it is dropped.
    func submit(_ body: @escaping @Sendable () -> Void) {
        let turn = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        pools[Int(UInt(bitPattern: turn) % UInt(count))].submit { state in
            if case .active = state { body() }
        }
    }
}
