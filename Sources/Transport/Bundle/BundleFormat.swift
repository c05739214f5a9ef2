internal import Entries
internal import Sodium
internal import Sync

/// The form of a bundle: a header, messages as on the wire, and a closing frame that shows that the file is complete
/// (`protocol/bundle.md` §1).
enum BundleFormat {
    /// 15 bytes; its two line breaks reveal a transfer that converts them.
    static let magic = Array("scurry bundle\r\n".utf8)
    static let version: UInt8 = 1
    /// Magic, version, network id.
    static let headerBytes = magic.count + 1 + Bytes32.count
    /// Type of the closing frame; types from 128 on occur in bundles only, never on a channel.
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

/// Running count and hash of the frames, which the closing frame states.
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

/// Writes a bundle frame by frame.
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

    /// Writes the closing frame; nothing may be added afterwards.
    func close() throws {
        try write(BundleFormat.bytes(Frame(type: BundleFormat.closingType, body: digest.closing)))
    }
}
