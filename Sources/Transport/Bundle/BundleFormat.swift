internal import Entries
internal import Sodium
internal import Sync

/// A file of entries: header, messages as on the wire, and a last frame that says that nothing is missing
/// (`protocol/bundle.md` §1).
enum BundleFormat {
    /// 15 bytes: the two line breaks show a transfer that changed them.
    static let magic = Array("scurry bundle\r\n".utf8)
    static let version: UInt8 = 1
    /// Magic, version, network id.
    static let headerBytes = magic.count + 1 + Bytes32.count
    /// The closing frame: types from 128 on are a file's own, and never sent on a channel.
    static let closingType: UInt8 = 128
    /// Number of frames u64, hash.
    static let closingBytes = 8 + Bytes32.count

    static func header(_ network: NetworkID) -> [UInt8] {
        magic + [version] + network.bytes
    }

    /// `u32 length ‖ u8 type ‖ body`, the length counting type and body.
    static func bytes(_ frame: Frame) -> [UInt8] {
        var writer = ByteWriter(capacity: 5 + frame.body.count)
        writer.append(UInt32(truncatingIfNeeded: frame.body.count + 1))
        writer.append(frame.type)
        writer.append(frame.body)
        return writer.bytes
    }
}

/// What the closing frame says of all that comes before it: how many frames, and their hash.
struct BundleDigest {
    private(set) var frames: UInt64 = 0
    /// `H("scurry/bundle", header)`, then with each frame `H("scurry/bundle", hash so far ‖ frame)`.
    private(set) var hash: Bytes32

    init(header: [UInt8]) {
        hash = Blake2b.hash(.bundle, header)
    }

    mutating func add(_ frame: [UInt8]) {
        frames += 1
        hash = Blake2b.hash(.bundle, hash.bytes + frame)
    }

    /// The body of the closing frame.
    var closing: [UInt8] {
        var writer = ByteWriter(capacity: BundleFormat.closingBytes)
        writer.append(frames)
        writer.append(hash)
        return writer.bytes
    }
}

/// Writes a bundle, piece by piece.
struct BundleWriter {
    private let write: ([UInt8]) throws -> Void
    private var digest: BundleDigest

    init(_ network: NetworkID, to write: @escaping ([UInt8]) throws -> Void) throws {
        let header = BundleFormat.header(network)
        try write(header)
        self.write = write
        digest = BundleDigest(header: header)
    }

    mutating func add(_ frame: Frame) throws {
        let bytes = BundleFormat.bytes(frame)
        digest.add(bytes)
        try write(bytes)
    }

    /// Nothing may be added afterwards.
    func close() throws {
        try write(BundleFormat.bytes(Frame(type: BundleFormat.closingType, body: digest.closing)))
    }
}
