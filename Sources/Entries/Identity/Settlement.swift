package import Sodium

/// A root key's statement where a log ends: `network ‖ root key ‖ log ‖ size u64 ‖ tree root ‖ serial u64`, 144 bytes,
/// signed over `"scurry settlement v1" ‖ those` (`protocol/identity.md` §5).
package struct Settlement: Hashable, Sendable {
    package let network: NetworkID
    package let identity: IdentityID
    /// The log; 32 zero bytes end the account.
    package let log: LogID
    /// Exactly the first `size` entries count.
    package let size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    package let root: Bytes32
    package let serial: UInt64

    package init(network: NetworkID, identity: IdentityID, log: LogID, size: UInt64, root: Bytes32, serial: UInt64) {
        self.network = network
        self.identity = identity
        self.log = log
        self.size = size
        self.root = root
        self.serial = serial
    }

    package static let count = 144

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.count)
        writer.append(network)
        writer.append(identity)
        writer.append(log)
        writer.append(size)
        writer.append(root)
        writer.append(serial)
        return writer.bytes
    }

    fileprivate var signedBytes: [UInt8] { Array("scurry settlement v1".utf8) + bytes }
}

/// Why a settlement is refused.
package enum SettlementError: Error, Hashable, Sendable {
    case wrongLength
    case foreignNetwork
    /// A size above 2³² − 1, a root of zeros at a size above 0 or the reverse, or the end of an account with a size
    /// above 0.
    case impossibleSize
    case badSignature
}

/// A settlement with the root's verified signature.
package struct SignedSettlement: Hashable, Sendable {
    package let settlement: Settlement
    package let signature: Signature

    /// Bytes on the wire: the settlement, then the signature.
    package static let count = Settlement.count + Signature.count

    package var bytes: [UInt8] { settlement.bytes + signature.bytes }

    package init(signing settlement: Settlement, with root: SigningKey) {
        precondition(root.publicKey == settlement.identity.raw, "a settlement is signed by the root that it names")
        self.settlement = settlement
        signature = root.sign(settlement.signedBytes)
    }

    package init(verifying bytes: some Collection<UInt8>, network: NetworkID) throws(SettlementError) {
        guard bytes.count == Self.count else { throw .wrongLength }
        guard let (settlement, signature) = Self.parse(bytes) else { throw .wrongLength }
        guard settlement.network == network else { throw .foreignNetwork }
        guard settlement.size <= EntryLimits.maximumLogEntries, (settlement.size == 0) == (settlement.root == .zero),
            settlement.size == 0 || !settlement.isEnd
        else { throw .impossibleSize }
        guard Ed25519.isValid(signature, of: settlement.signedBytes, by: settlement.identity.raw) else {
            throw .badSignature
        }
        self.settlement = settlement
        self.signature = signature
    }

    private static func parse(_ bytes: some Collection<UInt8>) -> (Settlement, Signature)? {
        var reader = ByteReader(Array(bytes))
        guard let network = reader.bytes32(), let identity = reader.bytes32(), let log = reader.bytes32(),
            let size = reader.integer(UInt64.self), let root = reader.bytes32(),
            let serial = reader.integer(UInt64.self), let signature = reader.signature()
        else { return nil }
        let settlement = Settlement(
            network: NetworkID(raw: network),
            identity: IdentityID(raw: identity),
            log: LogID(raw: log),
            size: size,
            root: root,
            serial: serial
        )
        return (settlement, signature)
    }
}

extension Settlement {
    /// Whether this ends the account.
    package var isEnd: Bool { log.raw == .zero }

    package var known: KnownRoot { KnownRoot(size: size, root: root) }

    /// Whether this is in force instead of another settlement of the same log: by the higher serial, then the smaller
    /// size, then the smaller root (`protocol/identity.md` §5).
    package func overrules(_ other: Settlement) -> Bool {
        serial != other.serial ? serial > other.serial : known < other.known
    }
}

extension SignedSettlement {
    /// Parses bytes from the own store, which were verified before; nil unless they are 208.
    package init?(trusting bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count, let (settlement, signature) = Self.parse(bytes) else { return nil }
        self.settlement = settlement
        self.signature = signature
    }
}
