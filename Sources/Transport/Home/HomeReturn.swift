package import Entries
internal import Sodium
package import Storage

/// Why recovery words give a home no new log.
package enum ReturnError: Error, Hashable, Sendable {
    /// The words belong to another person than this home.
    case anotherPerson
    /// The account has ended: no log of it counts any more.
    case ended
    /// This home can sign: a second log of the same device would use up one of 16.
    case stillWriting
    /// The device key of the own log is not here.
    case noKey
    case home(HomeError)
}

extension Home {
    /// Gives this home a new device key and a new log of the words' identity (`protocol/identity.md` §3). A copied or
    /// restored home gets a new node key too: of two nodes with one id each peer keeps one connection.
    ///
    /// For a home without a person or device key, with a key whose passphrase is lost, or with stopped signing; the
    /// former own log stays as an ordinary one, and another home's device key that lay here is put aside. A crash
    /// leaves the old state or the new one; the node key is changed before that, so that no home goes on with one that
    /// another may have.
    package func takeBack(_ words: RecoveryWords) throws(ReturnError) -> Continuation {
        do {
            let lock = try HomeLock(layout)
            defer { withExtendedLifetime(lock) {} }
            let store = try openStore()
            defer { try? store.close() }
            let root = words.rootKey
            let identity = IdentityID(raw: root.publicKey)
            let own = try Self.storing { () throws(StorageError) in try store.ownCertificate() }
            if let own {
                guard own.certificate.identity == identity else { throw ReturnError.anotherPerson }
                let stop = try Self.storing { () throws(StorageError) in try store.reader.signingStop() }
                if stop == .ended { throw ReturnError.ended }
                if stop == nil, try holdsUsableKey(of: own.log) { throw ReturnError.stillWriting }
                // A copy of the directory, or a home restored from a backup: the other may still run.
                let noted = try Self.storing { () throws(StorageError) in try store.reader.notedStop() }
                if [stop, noted].contains(where: { $0?.isOfTwoHomes == true }) {
                    try KeyFile.replaceNodeKey(.random(count: 32), at: layout.nodeKey)
                }
            } else if let kept = try? keys().certificate, kept.certificate.identity != identity {
                // The database that named the person is lost, their key is not.
                throw ReturnError.anotherPerson
            }
            return try change(to: root, identity, from: own?.log, store)
        } catch let error as ReturnError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    /// The id of this home's node, whatever the device key's file holds.
    package func nodeID() throws(HomeError) -> NodeID {
        NodeID(raw: try KeyFile.readNodeKey(layout.nodeKey).publicKey)
    }

    /// The device key; nil on a hub, in a home restored from a backup, and if the file is locked, damaged, or of
    /// another network: a case for the words.
    func usableKey() throws(HomeError) -> DeviceKey? {
        do throws(HomeError) {
            return try keys().device
        } catch .damaged(layout.deviceKey), .foreignNetwork(layout.deviceKey) {
            return nil
        }
    }

    private func change(
        to root: SigningKey,
        _ identity: IdentityID,
        from former: LogID?,
        _ store: EntryStore
    ) throws(HomeError) -> Continuation {
        let now = SystemClock.wallMilliseconds
        let highest = try Self.storing { () throws(StorageError) in try store.reader.highestSerial(of: identity) }
        let change = KeyChange(layout: layout)
        let device = try change.begin(root: root, network: network, serial: Serial.next(after: highest, now: now))
        let facts = facts
        let continuation = try Self.storing { () throws(StorageError) in
            // Already done by `openStore`, unless the old key is locked or gone.
            try store.withdrawWithoutKey()
            return try store.replaceOwnLog(device.certificate, with: device.signing, facts: facts, at: now)
        }
        try change.finish(ownLog: device.certificate.log, former: former, network: network)
        return continuation
    }

    /// Resumes signing: the person states that no other home uses this home's key.
    ///
    /// `lent` is the device key if it is locked and lies in no file; `shown` is the largest size of the own log that a
    /// peer has shown.
    ///
    /// - Throws: `.noKey`; `.home(.store(.ownLogIncomplete))` while entries of the own log are being fetched, or a peer
    ///   has more of it than is here.
    package func keep(lent: DeviceKey? = nil, shown: UInt64 = 0) throws(ReturnError) -> Continuation {
        do {
            let lock = try HomeLock(layout)
            defer { withExtendedLifetime(lock) {} }
            let store = try openStore(lent: lent)
            defer { try? store.close() }
            let own = try Self.storing { () throws(StorageError) in try store.ownCertificate() }
            guard let key = try keys().device ?? lent, key.certificate.log == own?.log else { throw ReturnError.noKey }
            let facts = facts
            return try Self.storing { () throws(StorageError) in
                try store.resumeOwnLog(
                    with: key.signing,
                    facts: facts,
                    shown: shown,
                    at: SystemClock.wallMilliseconds
                )
            }
        } catch let error as ReturnError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    /// Removes unpublished entries from the own log if a peer has another branch; opening the store does the same when
    /// the device key is not locked.
    package func withdraw(lent: DeviceKey) throws(ReturnError) {
        do throws(HomeError) {
            let lock = try HomeLock(layout)
            defer { withExtendedLifetime(lock) {} }
            let store = try openStore(lent: lent)
            try Self.storing { () throws(StorageError) in try store.close() }
        } catch {
            throw .home(error)
        }
    }

    private static func storing<Value>(_ body: () throws(StorageError) -> Value) throws(HomeError) -> Value {
        do throws(StorageError) { return try body() } catch { throw .store(error) }
    }
}
