import Entries
import Sodium
import TestSupport
import Testing

/// One device of one person, and everything that it wrote: an honest writer for tests.
final class Device {
    static let network = NetworkID(name: "campus")

    let person: UInt8
    let key: SigningKey
    let certificate: SignedCertificate
    private(set) var entries: [Entry] = []

    /// A device of a person: those with one `person` number belong to one identity.
    init(person: UInt8, device: UInt8 = 1, serial: UInt64? = nil, network: NetworkID = Device.network) throws {
        self.person = person
        let root = try Self.key(person, 0)
        key = try Self.key(person, device)
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: key.publicKey),
                sealingKey: Bytes32(),
                serial: serial ?? UInt64(device)
            ),
            with: root
        )
    }

    /// A device that wrote so many votes, at the times from 0 on.
    convenience init(person: UInt8, votes count: Int) throws {
        try self.init(person: person)
        for index in 0..<count { try vote(.up, on: EntryID(raw: .zero), time: UInt64(index)) }
    }

    /// What a person's root key says of a log, or of the account.
    static func settlement(_ person: UInt8, _ log: LogID?, _ known: KnownRoot, serial: UInt64) throws
        -> SignedSettlement
    {
        let root = try key(person, 0)
        return SignedSettlement(
            signing: Settlement(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                log: log ?? LogID(raw: .zero),
                size: known.size,
                root: known.root,
                serial: serial
            ),
            with: root
        )
    }

    private static func key(_ person: UInt8, _ role: UInt8) throws -> SigningKey {
        var seed = [UInt8](repeating: person, count: 31) + [role]
        return try #require(SigningKey(seed: SecretBytes(moving: &seed)))
    }

    var log: LogID { certificate.log }
    var serial: UInt64 { certificate.certificate.serial }
    var identity: IdentityID { certificate.certificate.identity }
    var size: Int { entries.count }

    /// Writes an entry whose payload is as given.
    @discardableResult
    func write(
        kind: UInt16,
        _ bytes: [UInt8],
        flags: UInt8? = nil,
        version: UInt8 = EntryHeader.currentVersion,
        time: UInt64,
        clock: UInt64? = nil
    ) -> EntryID {
        let isErasable = EntryKind(rawValue: kind)?.isErasable ?? false
        let entry = Entry(
            version: version,
            flags: flags ?? (isErasable ? EntryHeader.erasableFlag : 0),
            kind: kind,
            log: log,
            sequence: UInt64(entries.count),
            time: time,
            clock: clock ?? time,
            payload: bytes
        )
        entries.append(entry)
        return entry.id
    }

    /// Writes an entry of which nobody ever sees the body.
    @discardableResult
    func write(withheld header: EntryHeader) -> EntryID {
        let entry = Entry(withheld: header)
        entries.append(entry)
        return entry.id
    }

    @discardableResult
    func write(_ payload: Payload, time: UInt64, clock: UInt64? = nil) -> EntryID {
        write(kind: payload.kind.rawValue, payload.encode(), time: time, clock: clock)
    }

    @discardableResult
    func post(_ text: String, time: UInt64, title: String = "", in channels: [String] = []) throws -> EntryID {
        let names = try channels.map { try #require(Channel($0)) }
        return write(.post(try Post(salt: .test, text: text, title: title, channels: names)), time: time)
    }

    @discardableResult
    func reply(_ text: String, to parent: EntryID, root: EntryID, time: UInt64) throws -> EntryID {
        write(.post(try Post(salt: .test, text: text, reply: .init(parent: parent, root: root))), time: time)
    }

    @discardableResult
    func vote(_ value: Vote.Value, on post: EntryID, time: UInt64) throws -> EntryID {
        write(.vote(try Vote(choices: [.init(post: post, value: value)])), time: time)
    }

    @discardableResult
    func edit(_ post: EntryID, to text: String, time: UInt64) throws -> EntryID {
        write(.edit(try Edit(salt: .test, post: post, text: text)), time: time)
    }

    @discardableResult
    func delete(_ ids: EntryID..., time: UInt64) throws -> EntryID {
        write(.delete(try Delete(entries: ids)), time: time)
    }

    @discardableResult
    func name(_ name: String, time: UInt64) throws -> EntryID {
        write(.profile(try Profile(salt: .test, name: name)), time: time)
    }

    @discardableResult
    func follow(_ value: Follow.Value, _ identity: IdentityID, time: UInt64) throws -> EntryID {
        write(.follow(try Follow(choices: [.init(identity: identity, value: value)])), time: time)
    }

    /// Entries [start, end) under the head that covers `size` of them, checked as a receiver checks it; those in
    /// `withheld` come without their body.
    func chunk(_ bounds: Range<Int>? = nil, size: Int? = nil, withheld: Set<Int> = []) throws -> VerifiedChunk {
        let bounds = bounds ?? 0..<entries.count
        let raw = unverified(bounds, size: size ?? bounds.upperBound, withheld: withheld)
        let prefix = LogPrefix(certificate: nil, range: range(0..<bounds.lowerBound))
        return try #require(ChunkVerifier(network: Self.network).verify(raw, over: prefix).verified)
    }

    func unverified(_ bounds: Range<Int>, size: Int, withheld: Set<Int> = []) -> UnverifiedChunk {
        let sent = entries[bounds].map { entry in
            withheld.contains(Int(entry.header.sequence)) ? Entry(withheld: entry.header) : entry
        }
        let head = Head(
            signing: log,
            size: UInt64(size),
            root: range(0..<size).root ?? .zero,
            network: Self.network,
            with: key
        )
        return UnverifiedChunk(
            log: log,
            certificate: certificate.bytes,
            start: UInt64(bounds.lowerBound),
            count: UInt64(bounds.count),
            size: UInt64(size),
            signature: head.signature,
            entries: EntryCoding.encode(sent),
            right: range(bounds.upperBound..<size).nodes
        )
    }

    func range(_ bounds: Range<Int>) -> LogRange {
        var range = LogRange(at: UInt64(bounds.lowerBound))
        for entry in entries[bounds] { range.append(leaf: entry.id.raw) }
        return range
    }

    func place(_ sequence: Int) -> BodyPlace { BodyPlace(log: log, sequence: UInt64(sequence)) }
}

extension Salt {
    static var test: Salt {
        var random = SeededRandom(seed: 7)
        return Salt(using: &random)
    }
}

extension ChunkOutcome {
    var verified: VerifiedChunk? {
        switch self {
        case .verified(let chunk): chunk
        case .doesNotFit, .certificateMissing, .prefixDiffers, .unknownRoot, .violation: nil
        }
    }
}

extension NodeID {
    static let peer = NodeID(raw: Bytes32([UInt8](repeating: 9, count: 32)) ?? .zero)
}
