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
    private let store: EntryStore
    private let verifier: ChunkVerifier
    /// What `device` being nil means.
    private let missing: EntryStore.MissingKey
    /// Nil on a hub and while the key is locked; whoever signs holds it for that moment alone.
    private let device: NIOLockedValueBox<DeviceKey?>
    private let intake: BundleIntake
    private let inputs: AsyncStream<NodeInput>.Continuation
    private let writes = NIOThreadPool(numberOfThreads: 1)
    private let reads = NIOThreadPool(numberOfThreads: 1)
    /// Small files beside the store, which wait for the disk, and for commands that change them: nobody is served more slowly.
    private let files = NIOThreadPool(numberOfThreads: 1)
    /// Moves the store's log while transactions go on.
    private let moves = NIOThreadPool(numberOfThreads: 1)
    private let isMoving = Atomic(false)
    private let checks: NIOThreadPool
    private let checkers: Int
    /// Microseconds that moving the store's log took since the last transaction of peers, whose pages they mostly are: it counts
    /// as that one's.
    private let moving = Atomic<UInt64>(0)

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

    // MARK: One after the other

    func take(_ id: BatchID, _ batch: TakeBatch) {
        submit(to: writes) { [self] in
            do throws(StorageError) {
                let begun = SystemClock.monotonicMicroseconds
                let report = try store.take(batch)
                let took = SystemClock.monotonicMicroseconds - begun + moving.exchange(0, ordering: .relaxed)
                inputs.yield(.event(.taken(id, report, microseconds: took)))
                moveLog()
            } catch {
                inputs.yield(.storageFailed(error))
                inputs.yield(.event(.takeFailed(id, error.failure)))
            }
        }
    }

    /// Behind what was told, and beside what comes next: two fsyncs and some hundred pages take as long as ten posts. That waits
    /// for no more than what was added meanwhile.
    private func moveLog() {
        guard store.isLogDue, !isMoving.exchange(true, ordering: .relaxed) else { return }
        submit(to: moves) { [self] in
            timeMove { store.moveLogBeside() }
            submit(to: writes) { [self] in
                timeMove { _ = store.moveLogIfDue() }
                isMoving.store(false, ordering: .relaxed)
            }
        }
    }

    private func timeMove(_ body: () -> Void) {
        let begun = SystemClock.monotonicMicroseconds
        body()
        moving.add(SystemClock.monotonicMicroseconds - begun, ordering: .relaxed)
    }

    func scrubIfOwed() {
        submit(to: writes) { [store] in store.scrubIfOwed() }
    }

    func dropMigrationCopies() {
        submit(to: writes) { [store] in store.dropMigrationCopies() }
    }

    /// Nothing is written where this is not begun by `before`, monotonic milliseconds.
    func append(
        _ payload: Payload,
        before: UInt64?,
        _ publication: EntryStore.Publication,
        _ reply: AppendReply
    ) {
        write(before: before, publication, reply) { store, device, durable throws(AppendError) in
            try store.append(
                payload,
                with: device,
                at: SystemClock.wallMilliseconds,
                publication: publication,
                durable: durable
            )
        }
    }

    /// Stores chunks that no peer brought.
    func bring(_ chunks: [VerifiedChunk], _ reply: BringReply) {
        writes.submit { [store, inputs] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                var batch = TakeBatch()
                batch.chunks = chunks.map { TakeBatch.SourcedChunk(chunk: $0, source: NodeID(raw: .zero)) }
                let rows = try store.take(batch).changes
                let chunks = Dictionary(chunks.map { ($0.log, $0) }, uniquingKeysWith: { _, last in last })
                let appends = rows.compactMap { row in chunks[row.log].map { OwnAppend(chunk: $0, row: row) } }
                inputs.yield(.brought(appends, reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    /// Checks and stores a frame of a file, between two transactions: nothing moves under it.
    func takeFile(_ frame: Frame, _ reply: ImportReply) {
        writes.submit { [intake, inputs] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                let part: BundlePart
                do throws(SyncViolation) {
                    part = try BundlePart(frame)
                } catch {
                    var receipt = BundleReceipt()
                    receipt.verdicts = [.fault(BundleFault(error))]
                    return reply.resume(returning: .success(receipt))
                }
                inputs.yield(.imported(try intake.take(part), reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    /// Why nothing is signed, as far as the store knows by now.
    var signingRefusal: AppendRefusal {
        switch try? store.reader.signingStop() {
        case .settled: .logSettled
        case .forked: .logForked
        case .ended: .accountEnded
        case .notCarried: .notCarried
        case .copied, .longer, .diverged, nil: .signingStopped
        }
    }

    /// Takes what the person's root key says, as an import of nothing else.
    func settle(_ signed: SignedSettlement, _ reply: ImportReply) {
        writes.submit { [store, inputs] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                let report = ImportReport(report: try store.take(TakeBatch(settling: signed)), bodies: [], own: nil)
                inputs.yield(.imported(BundleIntake.Taking(receipt: BundleReceipt(), reports: [report]), reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    func releaseOwnLog(_ reply: ReleaseReply) {
        writes.submit { [store, inputs] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                inputs.yield(.released(try store.releaseOwnLog(), reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    func delete(
        _ post: EntryID,
        before: UInt64?,
        _ publication: EntryStore.Publication,
        _ reply: AppendReply
    ) {
        write(before: before, publication, reply) { store, device, durable throws(AppendError) in
            try store.deleteOwn(
                post: post,
                with: device,
                at: SystemClock.wallMilliseconds,
                publication: publication,
                durable: durable
            )
        }
    }

    /// Deletes again what an edit, written elsewhere, came too late for.
    func deleteStrayEdits(_ publication: EntryStore.Publication) {
        guard canSign else { return }
        submit(to: writes) { [store, inputs] in
            do throws(StorageError) {
                for post in try store.strayEdits() { inputs.yield(.strayEdit(post)) }
            } catch {
                inputs.yield(.storageFailed(error))
            }
        }
    }

    private func write(
        before deadline: UInt64?,
        _ publication: EntryStore.Publication,
        _ reply: AppendReply,
        _ body: @escaping @Sendable (EntryStore, SigningKey, (OwnAppend) -> Void) throws(AppendError) -> Void
    ) {
        writes.submit { [self] state in
            do throws(AppendError) {
                guard case .active = state else { throw .storage(.busy) }
                if let deadline, SystemClock.monotonicMilliseconds >= deadline { throw .storage(.busy) }
                guard let device = device.withLockedValue({ $0 }) else { throw .refused(store.refusal(for: missing)) }
                try body(store, device.signing) { inputs.yield(.appended($0, publication, reply)) }
                moveLog()
            } catch {
                inputs.yield(.notAppended(error, reply))
            }
        }
    }

    // MARK: Questions

    func readRanges(_ id: RequestID, _ wants: [RangeWant], byteLimit: Int) {
        run(on: reads, otherwise: .readFailed(id)) { [inputs] store throws(StorageError) in
            let answers = try store.ranges(wants, byteLimit: byteLimit) { inputs.yield(.storageFailed($0)) }
            return .event(.ranges(id, answers))
        }
    }

    func readPrefix(_ id: RequestID, _ log: LogID, end: UInt64) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.prefix(id, try store.prefixNodes(of: log, end: end)))
        }
    }

    func readPrefixProof(_ id: RequestID, _ log: LogID, end: UInt64) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.prefixProof(id, try store.prefixProof(of: log, end: end)))
        }
    }

    func readNodes(_ id: RequestID, _ log: LogID, _ place: TreePlace) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.nodes(id, try store.nodes(of: log, at: place)))
        }
    }

    /// Compares what a peer showed of a log with what is stored.
    func weigh(_ id: RequestID, _ log: LogID, _ proof: PrefixProof) {
        run(on: reads, otherwise: .readFailed(id)) { [verifier] store throws(StorageError) in
            let known = try store.prefixes(of: [log])[log]
            let ours = try store.prefixNodes(of: log, end: proof.end)
            let weight = PrefixWeight(proof, of: log, network: verifier.network, known: known, ours: ours)
            return .event(.prefixWeighed(id, weight))
        }
    }

    func readBodies(_ id: RequestID, _ places: [BodyPlace], byteLimit: Int) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.bodies(id, try store.bodies(places, byteLimit: byteLimit)))
        }
    }

    /// Looks whom the person here follows, behind what is being written.
    func readCarried(_ carry: Carrying) {
        run(on: reads, otherwise: nil) { store throws(StorageError) in .carried(try carry.meaning(in: store.reader)) }
    }

    /// Writes a small file beside the store; what cannot be written is told, and done without.
    func writeFile(_ body: @escaping @Sendable () throws(SystemError) -> Void) {
        submit(to: files) { [inputs] in
            do throws(SystemError) { try body() } catch { inputs.yield(.fileFailed(error)) }
        }
    }

    /// Notes in the home who was met.
    func pin(_ nodes: [PeerAddress: NodeID], in home: Home) {
        submit(to: files) { [inputs] in
            do throws(HomeError) {
                try home.pin(nodes)
                inputs.yield(.pinned(nodes))
            } catch {
                inputs.yield(.pinFailed(error))
            }
        }
    }

    func status() async -> StoreStatus? {
        let store = store
        return try? await reads.runIfActive { try store.reader.status() }
    }

    // MARK: Checks

    func verify(_ batch: UnverifiedBatch) {
        if let outcomes = checkAtOnce(batch) {
            inputs.yield(.event(.verified(batch.id, outcomes)))
            return
        }
        submit(to: checks) { [self] in
            let logs = batch.runs.compactMap { run in
                if case .store = run.prefix { run.log } else { LogID?.none }
            }
            let held: [LogID: LogPrefix]
            do throws(StorageError) {
                held = logs.isEmpty ? [:] : try store.prefixes(of: logs)
            } catch {
                inputs.yield(.storageFailed(error))
                inputs.yield(.event(.verifyFailed(batch.id, error.failure)))
                return
            }
            let job = VerificationJob(batch, over: held, verifier: verifier, shares: checkers)
            // What is small stays where it is: another thread's wake-up costs more.
            for share in job.shares.dropFirst() {
                submit(to: checks) { [inputs] in
                    if let outcomes = job.check(share) { inputs.yield(.event(.verified(batch.id, outcomes))) }
                }
            }
            if let share = job.shares.first, let outcomes = job.check(share) {
                inputs.yield(.event(.verified(batch.id, outcomes)))
            }
        }
    }

    /// Checks a live post where it is asked for: it takes less than the two changes of threads. Nil for whatever is more than
    /// that, or needs the file.
    private func checkAtOnce(_ batch: UnverifiedBatch) -> [[ChunkOutcome]]? {
        guard batch.runs.count == 1, let run = batch.runs.first, run.chunks.count == 1, let chunk = run.chunks.first,
            chunk.count <= TransportLimits.checkedAtOnceEntries,
            chunk.entries.count <= TransportLimits.checkedAtOnceBytes
        else { return nil }
        let known: LogPrefix? =
            switch run.prefix {
            case .store: store.rememberedPrefix(of: run.log)
            case .known(let prefix): prefix
            }
        return known.map { [verifier.verify(run, over: $0)] }
    }

    func judge(_ id: RequestID, _ verdicts: [UnverifiedVerdict]) {
        submit(to: checks) { [verifier, inputs] in
            let judge = VerdictVerifier(network: verifier.network)
            inputs.yield(.event(.judged(id, verdicts.map(judge.judge))))
        }
    }

    // MARK: Threads

    /// Runs `body` on the pool and reports what comes of it, or the failure and `otherwise`.
    private func run(
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
    private func submit(to pool: NIOThreadPool, _ body: @escaping @Sendable () -> Void) {
        pool.submit { state in
            if case .active = state { body() }
        }
    }
}

extension StorageError {
    /// What it means for a batch.
    fileprivate var failure: StoreFailure {
        switch self {
        case .damaged: .damaged
        case .unfit: .unexplained
        case .diskFull, .noRoomToCopy, .readOnly, .unopenable, .unwritable, .newerVersion, .olderVersion, .absent,
            .foreignNetwork,
            .busy, .ownLogExists, .ownLogIncomplete, .ownLogEnded, .other:
            .passing
        }
    }
}
