internal import Entries
internal import NIOConcurrencyHelpers
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync
internal import Synchronization

/// Everything slow, on threads of its own: transactions one after the other on one, questions on another, checks of
/// signatures and hashes on as many as there are cores.
///
/// Nothing is awaited here: each piece of work ends in one event, in the order in which its thread did the work.
final class StoreWork: Sendable {
    let store: EntryStore
    let verifier: ChunkVerifier
    /// What `device` being nil means.
    let missing: EntryStore.MissingKey
    /// Nil on a hub and while the key is locked; whoever signs holds it for that moment alone.
    let device: NIOLockedValueBox<DeviceKey?>
    let intake: BundleIntake
    let inputs: AsyncStream<NodeInput>.Continuation
    let writes = NIOThreadPool(numberOfThreads: 1)
    let reads = NIOThreadPool(numberOfThreads: 1)
    /// Small files beside the store, which wait for the disk, and for commands that change them: nobody is served more slowly.
    let files = NIOThreadPool(numberOfThreads: 1)
    /// Moves the store's log while transactions go on.
    let moves = NIOThreadPool(numberOfThreads: 1)
    let isMoving = Atomic(false)
    let checks: NIOThreadPool
    let checkers: Int
    /// Microseconds that moving the store's log took since the last transaction of peers, whose pages they mostly are: it counts
    /// as that one's.
    let moving = Atomic<UInt64>(0)

    init(
        _ store: EntryStore,
        network: NetworkID,
        keys: HomeKeys,
        cores: Int,
        inputs: AsyncStream<NodeInput>.Continuation
    ) {
        self.store = store
        verifier = ChunkVerifier(network: network)
        missing = keys.missing
        device = NIOLockedValueBox(keys.device)
        intake = BundleIntake(store, network: network, release: .byNode)
        self.inputs = inputs
        // More than a few would only wait for the one thread that stores.
        checkers = max(1, min(cores, 4))
        checks = NIOThreadPool(numberOfThreads: checkers)
    }

    /// Signs with this key from now on, or with none.
    func use(_ device: DeviceKey?) {
        self.device.withLockedValue { $0 = device }
    }

    var canSign: Bool { device.withLockedValue { $0 != nil } }

    /// Starts the threads, if they do not run yet; work that comes before is dropped.
    func start() {
        for pool in [writes, reads, files, moves, checks] { pool.start() }
    }

    /// Ends the threads after what they were given, and closes the store.
    func close() async {
        for pool in [checks, reads, files, moves, writes] {
            // Work that is still queued would be dropped by the shutdown.
            try? await pool.runIfActive {}
            if pool === writes { try? await pool.runIfActive { [self] in closeStore() } }
            try? await pool.shutdownGracefully()
        }
    }

    private func closeStore() {
        do throws(StorageError) { try store.close() } catch { inputs.yield(.storageFailed(error)) }
    }

    // MARK: Threads

    /// Runs `body` on the pool and reports what comes of it, or the failure and `otherwise`.
    func run(
        on pool: NIOThreadPool,
        otherwise: NodeEvent?,
        _ body: @escaping @Sendable (EntryStore) throws(StorageError) -> NodeInput?
    ) {
        submit(to: pool) { [store, inputs] in
            do throws(StorageError) {
                if let input = try body(store) { inputs.yield(input) }
            } catch {
                inputs.yield(.storageFailed(error))
                if let otherwise { inputs.yield(.event(otherwise)) }
            }
        }
    }

    /// Work that comes after `close` is dropped.
    func submit(to pool: NIOThreadPool, _ body: @escaping @Sendable () -> Void) {
        pool.submit { state in
            if case .active = state { body() }
        }
    }
}
