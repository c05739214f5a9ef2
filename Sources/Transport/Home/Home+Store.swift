internal import Entries
package import Storage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension Home {
    /// Opens the store for writing; the caller holds the home's lock. Completes a key change, and checks whether the
    /// home was copied or moved: if so, signing stops.
    ///
    /// `lent` is the device key if it is locked and lies in no file.
    package func openStore(lent: DeviceKey? = nil) throws(HomeError) -> EntryStore {
        let store: EntryStore
        do throws(StorageError) {
            store = try EntryStore(.file(layout.store), network: network, creation: .never)
        } catch {
            throw layout.reason(error)
        }
        do throws(HomeError) {
            try settle(store, lent)
            return store
        } catch {
            try? store.close()
            throw error
        }
    }

    /// Opens the store for reading; migrates an older version first, unless a node runs on it. Waits up to `patience`
    /// milliseconds for another process that does so: of several commands one migrates.
    ///
    /// - Throws: `.store(.olderVersion)` if a node has to be ended first, `busy` if another process takes longer.
    package func storeReader(
        patience: UInt64 = TransportLimits.lockPatienceMilliseconds
    ) throws(HomeError) -> StoreReader {
        let deadline = SystemClock.monotonicMilliseconds + patience
        while true {
            do throws(StorageError) {
                return try StoreReader(path: layout.store, network: network)
            } catch {
                guard error == .olderVersion else { throw layout.reason(error) }
            }
            do throws(HomeError) {
                let lock = try HomeLock(layout)
                defer { withExtendedLifetime(lock) {} }
                return try migrated()
            } catch {
                guard case .busy = error else { throw error }
                if hasNode { throw .store(.olderVersion) }
                guard SystemClock.monotonicMilliseconds < deadline else { throw error }
            }
            // A tenth of what a person notices. A node that starts migrates too, and keeps the lock: then it is read
            // beside it.
            usleep(10_000)
        }
    }

    /// Migrates the store under the home's lock, and opens it for reading.
    private func migrated() throws(HomeError) -> StoreReader {
        let store = try openStore()
        do throws(StorageError) {
            try store.close()
            return try StoreReader(path: layout.store, network: network)
        } catch {
            throw .store(error)
        }
    }

    /// Whether a node takes commands, or hangs: then it keeps the store as it is, and the home's lock for as long as it
    /// runs.
    private var hasNode: Bool {
        let client = ControlClient(layout, patience: TransportLimits.controlGlanceMilliseconds)
        do throws(ControlError) {
            return try client.isAnswered()
        } catch {
            // Any other failure, as of this process's own open files, tells nothing of a node.
            guard case .notResponding = error else { return false }
            return true
        }
    }

    /// Opens the store for a long reading. Where the disk is so full that the file is read without SQLite's locks, a
    /// share of the home's lock keeps writers away meanwhile: the reader would take in half of what they change.
    ///
    /// - Throws: what `storeReader` throws; `busy` if somebody writes all the same, for longer than `patience`
    ///   milliseconds.
    func steadyReader(
        patience: UInt64 = TransportLimits.lockPatienceMilliseconds
    ) throws(HomeError) -> (reader: StoreReader, lock: HomeLock?) {
        let deadline = SystemClock.monotonicMilliseconds + patience
        while true {
            let first = try storeReader()
            guard first.isFrozen else { return (first, nil) }
            do throws(HomeError) {
                let lock = try HomeLock(sharing: layout, patience: min(patience, Self.frozenMilliseconds))
                // Somebody may have written since it was opened, and there may be room now.
                let second = try storeReader()
                return (second, second.isFrozen ? lock : nil)
            } catch {
                guard case .busy = error, SystemClock.monotonicMilliseconds < deadline else { throw error }
            }
        }
    }

    /// Time after which a reader that waits for a writer looks whether there is room for SQLite's locks: a node makes
    /// it, and keeps the home's lock for as long as it runs. A guess.
    private static let frozenMilliseconds: UInt64 = 100

    private func settle(_ store: EntryStore, _ lent: DeviceKey?) throws(HomeError) {
        do {
            try KeyChange(layout: layout).finish(ownLog: store.ownCertificate()?.log, network: network)
            _ = try store.check(facts, witness: layout.witness)
            // Without a matching key the unpublished entries stay withheld, and the person is told.
            if let key = (try? keys().device) ?? lent { try store.withdraw(with: key.signing) }
        } catch let error as StorageError {
            throw .store(error)
        } catch let error as HomeError {
            throw error
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    /// The present facts that tell this home from a copy.
    package var facts: HomeFacts { HomeFacts.read(of: layout.store) }

    /// Why this home signs nothing; nil if it signs, was not moved, is no older copy, and has no other log's key.
    ///
    /// `.otherKey` is what the files say: a running node goes on with the key that it read.
    package func signingStop(in store: StoreReader) throws(StorageError) -> SigningStop? {
        if let stop = try store.signingStop(at: facts, witness: layout.witness) { return stop }
        return try keyFit(in: store) == .other ? .otherKey : nil
    }
}
