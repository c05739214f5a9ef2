internal import Entries
internal import NIOConcurrencyHelpers
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync
internal import Synchronization

/// The slow work of a node, on threads of its own: transactions in order on one, reads on another, checks of signatures
/// and hashes on up to four.
///
/// No call waits: each piece of work ends in one input to the node, in the order in which its thread finished.
final class StoreWork: Sendable {
    let store: EntryStore
    let verifier: ChunkVerifier
    /// Why `device` is nil: no key, or a locked one.
    let missing: EntryStore.MissingKey
    /// The signing key; nil on a hub and while the key is locked. A signing call holds it only while it signs.
    let device: NIOLockedValueBox<DeviceKey?>
    /// The log that this home writes, which stays the same while a node runs; nil on a hub, or if it cannot be read.
    private let ownLog: LogID?
    let intake: BundleIntake
    /// The bundles that commands read into this node; for the writing thread.
    let readings = NIOLockedValueBox(BundleReadings())
    let inputs: NodeInputs
    /// The files of the store, looked at before what was written is acknowledged; nil: never.
    private let database: DatabaseFiles?
    let writes = NIOThreadPool(numberOfThreads: 1)
    let reads = NIOThreadPool(numberOfThreads: 1)
    /// Writes small files beside the store: they wait for fsync and for the locks of commands, and delay no peer here.
    let files = NIOThreadPool(numberOfThreads: 1)
    /// Checkpoints the store's WAL while transactions go on.
    let checkpoints = NIOThreadPool(numberOfThreads: 1)
    let isCheckpointing = Atomic(false)
    /// Whether the record outside the home is about to be written.
    let isNoting = Atomic(false)
    let checks: VerifierThreads
    /// Microseconds spent on checkpoints since the last batch of peers, whose pages most of the WAL is: added to the
    /// time that the next batch reports.
    let checkpointing = Atomic<UInt64>(0)

    init(
        _ store: EntryStore,
        network: NetworkID,
        keys: HomeKeys,
        cores: Int,
        inputs: NodeInputs,
        database: DatabaseFiles? = nil
    ) {
        self.store = store
        self.database = database
        ownLog = try? store.reader.ownLog()
        verifier = ChunkVerifier(network: network)
        missing = keys.missing
        device = NIOLockedValueBox(keys.device)
        intake = BundleIntake(store, network: network, release: .byNode)
        self.inputs = inputs
        // More threads would only wait for the one thread that stores.
        checks = VerifierThreads(threads: max(1, min(cores, 4)))
        store.noteOwnLogLater()
        store.watchEvictions { inputs.yield(.evictionFailed($0)) }
    }

    /// Signs with this key from now on; with nil, signs nothing.
    func use(_ device: DeviceKey?) {
        self.device.withLockedValue { $0 = device }
    }

    var canSign: Bool { device.withLockedValue { $0 != nil } }

    /// Whether the key is another log's than the home's own: the store refuses whatever it is to sign.
    var hasOtherKey: Bool {
        guard let ownLog, let log = device.withLockedValue({ $0?.certificate.log }) else { return false }
        return log != ownLog
    }

    /// Starts the threads that do not run yet; work submitted before is dropped.
    func start() {
        for pool in [writes, reads, files, checkpoints] { pool.start() }
        checks.start()
    }

    /// Finishes the queued work, ends the threads and closes the store.
    func close() async {
        for pool in checks.pools + [reads, files, checkpoints, writes] {
            // The shutdown would drop work that is still queued.
            try? await pool.runIfActive {}
            if pool === writes { try? await pool.runIfActive { [self] in closeStore() } }
            try? await pool.shutdownGracefully()
        }
    }

    private func closeStore() {
        do throws(StorageError) { try store.close() } catch { inputs.yield(.storageFailed(error)) }
    }

    /// Looks, behind the writes that wait, whether the store's files are still there.
    func checkFiles() {
        submit(to: writes) { [self] in
            if let path = database?.lost { inputs.yield(.databaseLost(path)) }
        }
    }

    /// Called when something was written, before whoever asked for it is told so.
    ///
    /// - Throws: `other` if the store's files were removed or replaced, so that nobody will see it; the node ends then.
    func confirmFiles() throws(StorageError) {
        guard let path = database?.lost else { return }
        inputs.yield(.databaseLost(path))
        throw .other("the database was moved, removed or replaced while the node ran: look before writing it again")
    }

    // MARK: Threads

    /// Runs `body` on the pool and yields its input; on a failure yields that, and then `otherwise`.
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

    /// Queues work; after `close` it is dropped.
    func submit(to pool: NIOThreadPool, _ body: @escaping @Sendable () -> Void) {
        pool.submit { state in
            if case .active = state { body() }
        }
    }
}
