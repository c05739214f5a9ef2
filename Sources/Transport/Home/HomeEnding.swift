package import Entries
internal import FoundationEssentials
internal import Sodium
package import Storage

/// What recovery words can end.
package enum Ending: Hashable, Sendable {
    /// A device's log: the device is lost or stolen, or the log forked.
    case device(LogID, keeping: SettlementKeeping)
    /// The whole account, for ever.
    case account
}

/// Why nothing was ended.
package enum EndingError: Error, Hashable, Sendable {
    /// The words belong to another person than this home.
    case anotherPerson
    /// No log of that id is known of this identity.
    case unknownDevice
    /// The entries up to the chosen size are not held, or not proven.
    case notHeld
    /// The account has ended already.
    case ended
    case write(WriteError)
}

extension Home {
    /// Settles a device's log or ends the account, signed by the root key (`protocol/identity.md` §5): through the
    /// running node, or under the home's lock.
    ///
    /// Durable when this returns; the call blocks.
    ///
    /// - Returns: the signed settlement.
    @discardableResult
    package func end(_ ending: Ending, by words: RecoveryWords) throws(EndingError) -> SignedSettlement {
        do {
            let signed = try settlement(ending, by: words.rootKey)
            switch try HomeTurn.take(self) {
            case .node(let client):
                switch try HomeTurn.ask(.settle(Data(signed.bytes)), client) {
                case .done: break
                case .failed(let failure): throw WriteError.failed(failure)
                case .appended, .refused, .status, .synced, .imported, .released:
                    throw WriteError.uncertain(.notUnderstood)
                }
            case .alone(let lock):
                defer { withExtendedLifetime(lock) {} }
                let store = try EntryStore(.file(layout.store), network: network, creation: .never)
                defer { try? store.close() }
                _ = try store.take(TakeBatch(settling: signed))
            }
            return signed
        } catch let error as EndingError {
            throw error
        } catch let error as WriteError {
            throw .write(error)
        } catch let error as StorageError {
            throw .write(.storage(error))
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    private func settlement(_ ending: Ending, by root: SigningKey) throws -> SignedSettlement {
        let reader = try StoreReader(path: layout.store, network: network)
        let identity = IdentityID(raw: root.publicKey)
        if let own = try reader.ownIdentity(), own != identity { throw EndingError.anotherPerson }
        if try reader.hasEnded(identity) { throw EndingError.ended }
        let (log, known) = try place(of: ending, of: identity, reader)
        let highest = try reader.highestSerial(of: identity)
        let settlement = Settlement(
            network: network,
            identity: identity,
            log: log,
            size: known.size,
            root: known.root,
            serial: Serial.next(after: highest, now: SystemClock.wallMilliseconds)
        )
        return SignedSettlement(signing: settlement, with: root)
    }

    private func place(
        of ending: Ending,
        of identity: IdentityID,
        _ reader: StoreReader
    ) throws -> (log: LogID, known: KnownRoot) {
        switch ending {
        case .account: return (LogID(raw: .zero), KnownRoot(size: 0, root: .zero))
        case .device(let log, let keeping):
            guard try reader.devices(of: identity).contains(where: { $0.log == log }) else {
                throw EndingError.unknownDevice
            }
            guard let known = try reader.settlement(for: log, keeping: keeping) else { throw EndingError.notHeld }
            return (log, known)
        }
    }
}

extension TakeBatch {
    /// A batch with one settlement that was signed here.
    init(settling signed: SignedSettlement) {
        self.init()
        settlements = [SettlementArrival(signed: signed, certificate: nil, source: nil)]
    }
}
