internal import Entries
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync
internal import Synchronization

/// Transactions, in order, on the one thread that writes.
extension StoreWork {
    func take(_ id: BatchID, _ batch: TakeBatch) {
        submit(to: writes) { [self] in
            do throws(StorageError) {
                let begun = SystemClock.monotonicMicroseconds
                try store.take(batch, .again) { report in
                    let took = SystemClock.monotonicMicroseconds - begun + checkpointing.exchange(0, ordering: .relaxed)
                    inputs.yield(.event(.taken(id, report, microseconds: took)))
                }
                checkpoint()
            } catch {
                inputs.yield(.storageFailed(error))
                inputs.yield(.event(.takeFailed(id, error.failure)))
            }
        }
    }

    /// Checkpoints a long WAL after the outcome was reported and beside the next transactions: two fsyncs and some
    /// hundred pages take as long as ten posts. A transaction then waits only for the pages added meanwhile.
    private func checkpoint() {
        guard store.isCheckpointDue, !isCheckpointing.exchange(true, ordering: .relaxed) else { return }
        submit(to: checkpoints) { [self] in
            timeCheckpoint { store.checkpointBeside() }
            submit(to: writes) { [self] in
                timeCheckpoint { _ = store.checkpointIfDue() }
                isCheckpointing.store(false, ordering: .relaxed)
            }
        }
    }

    private func timeCheckpoint(_ body: () -> Void) {
        let begun = SystemClock.monotonicMicroseconds
        body()
        checkpointing.add(SystemClock.monotonicMicroseconds - begun, ordering: .relaxed)
    }

    /// Records outside the home how far the own log has come, when the post is long on its way, and for all that are
    /// written until then.
    func noteOwnLog(on loop: any EventLoop) {
        guard !isNoting.exchange(true, ordering: .relaxed) else { return }
        loop.scheduleTask(in: .milliseconds(TransportLimits.ownLogNoteMilliseconds)) { [self] in
            submit(to: writes) { [self] in
                isNoting.store(false, ordering: .relaxed)
                store.noteOwnLog()
            }
        }
    }

    func scrubIfOwed() {
        submit(to: writes) { [store] in store.scrubIfOwed() }
    }

    func dropMigrationCopies() {
        submit(to: writes) { [store] in store.dropMigrationCopies() }
    }

    /// Appends an own entry; writes nothing if the work has not begun by `before`, monotonic milliseconds.
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

    /// Checks and stores a bundle's frame on the writing thread, so that no other transaction comes between.
    func takeFile(_ frame: Frame, of file: UInt64?, _ reply: ImportReply) {
        writes.submit { [self] state in
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
                var recounts = readings.withLockedValue { $0.take(file) }
                let taking = try intake.take(part, &recounts)
                try confirmFiles()
                readings.withLockedValue { $0.keep(recounts, of: file) }
                inputs.yield(.imported(taking, reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    /// Why nothing is signed, according to the store.
    var signingRefusal: AppendRefusal {
        switch try? store.reader.signingStop() {
        case .settled: .logSettled
        case .forked: .logForked
        case .ended: .accountEnded
        case .notCarried: .notCarried
        case .copied, .longer, .diverged, .otherKey, nil: .signingStopped
        }
    }

    /// Why there is no key to sign with, or why the store cannot say.
    private var keyMissing: AppendError {
        do throws(StorageError) { return .refused(try store.refusal(for: missing)) } catch { return .storage(error) }
    }

    /// Stores a settlement as an import without entries.
    func settle(_ signed: SignedSettlement, _ reply: ImportReply) {
        writes.submit { [self] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                let report = ImportReport(report: try store.take(TakeBatch(settling: signed)), bodies: [], own: nil)
                try confirmFiles()
                inputs.yield(.imported(BundleIntake.Taking(receipt: BundleReceipt(), reports: [report]), reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }

    func releaseOwnLog(_ reply: ReleaseReply) {
        writes.submit { [self] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                let own = try store.releaseOwnLog()
                try confirmFiles()
                inputs.yield(.released(own, reply))
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

    /// Reports own deleted posts with an edit that no delete names, so that the delete is repeated; such an edit was
    /// written elsewhere and came later.
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
                guard let device = device.withLockedValue({ $0 }) else { throw keyMissing }
                try body(store, device.signing) { own in
                    do throws(StorageError) {
                        try confirmFiles()
                        inputs.yield(.appended(own, publication, reply))
                    } catch {
                        inputs.yield(.notAppended(.storage(error), reply))
                    }
                }
                checkpoint()
            } catch {
                inputs.yield(.notAppended(error, reply))
            }
        }
    }
}
