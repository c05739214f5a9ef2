internal import Entries
package import Storage

extension Home {
    /// Opens the store to write in it, under the home's lock: finishes a change of keys, and looks whether the home is
    /// where it was. If it is not, the store signs nothing from here on.
    ///
    /// `lent` is the device key where it is locked and lies in no file.
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

    /// Opens the store to read in it. One of an earlier version is brought up to date first, unless a node runs on it.
    ///
    /// - Throws: `busy` if that node is to be ended first.
    package func storeReader() throws(HomeError) -> StoreReader {
        do throws(StorageError) {
            return try StoreReader(path: layout.store, network: network)
        } catch .olderVersion {
            let lock = try HomeLock(layout)
            defer { withExtendedLifetime(lock) {} }
            let store = try openStore()
            do throws(StorageError) {
                try store.close()
                return try StoreReader(path: layout.store, network: network)
            } catch {
                throw .store(error)
            }
        } catch {
            throw layout.reason(error)
        }
    }

    private func settle(_ store: EntryStore, _ lent: DeviceKey?) throws(HomeError) {
        do {
            try KeyChange(layout: layout).finish(ownLog: store.ownCertificate()?.log, network: network)
            _ = try store.check(facts, witness: layout.witness)
            // Without the key, or with one that does not fit, it stays as it is: held back, and told.
            if let key = (try? keys().device) ?? lent { try store.withdraw(with: key.signing) }
        } catch let error as StorageError {
            throw .store(error)
        } catch let error as HomeError {
            throw error
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    /// What tells this home from a copy of it, now.
    package var facts: HomeFacts { HomeFacts.read(of: layout.store) }

    /// Why this home signs nothing; nil if it signs, is where it was, and is no older than what ran here.
    package func signingStop(in store: StoreReader) throws(StorageError) -> SigningStop? {
        try store.signingStop(at: facts, witness: layout.witness)
    }
}
