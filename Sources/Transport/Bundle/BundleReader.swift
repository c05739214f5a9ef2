internal import Entries
internal import Sodium
internal import Sync

/// Reads a bundle frame by frame; holds one frame in memory (`protocol/bundle.md` §3).
struct BundleReader {
    let network: NetworkID
    /// Place of the frame that was read last, at first of the first frame.
    private(set) var place = BundlePlace(frame: 1, offset: UInt64(BundleFormat.headerBytes))
    private var end = UInt64(BundleFormat.headerBytes)
    private var digest: BundleDigest
    private let source: BundleSource

    /// Reads the header.
    init(_ source: BundleSource) throws(BundleRefusal) {
        let header: [UInt8]
        do throws(SystemError) {
            header = try source.read(BundleFormat.headerBytes)
        } catch {
            throw .unreadable(error)
        }
        var reader = ByteReader(header)
        guard let magic = reader.bytes(count: BundleFormat.magic.count), Array(magic) == BundleFormat.magic,
            let version = reader.byte(), version > 0
        else { throw .notABundle }
        guard version <= BundleFormat.version else { throw .newerVersion(version) }
        guard let network = reader.bytes32() else { throw .notABundle }
        self.network = NetworkID(raw: network)
        self.source = source
        digest = BundleDigest(header: header)
    }

    enum Step {
        case frame(Frame)
        /// The closing frame confirms that nothing is missing.
        case complete
        case fault(BundleFault)
    }

    /// Reads the next frame; not to be called after `complete` or `fault`.
    mutating func next() throws(SystemError) -> Step {
        place = BundlePlace(frame: digest.frames + 1, offset: end)
        let prefix = try source.read(4)
        var reader = ByteReader(prefix)
        guard let length: UInt32 = reader.integer() else { return .fault(.truncated) }
        guard length >= 1, length <= Limits.maximumMessageBytes else { return .fault(.frameLength) }
        let rest = try source.read(Int(length))
        guard rest.count == Int(length), let type = rest.first else { return .fault(.truncated) }
        let frame = Frame(type: type, body: Array(rest.dropFirst()))
        end += 4 + UInt64(length)
        if type == BundleFormat.closingType { return try close(frame.body) }
        digest.add(prefix + rest)
        return .frame(frame)
    }

    private func close(_ body: [UInt8]) throws(SystemError) -> Step {
        guard body.count == BundleFormat.closingBytes else { return .fault(.malformedClosing) }
        var reader = ByteReader(body)
        guard reader.integer() == digest.frames else { return .fault(.wrongCount) }
        guard reader.bytes32() == digest.hash else { return .fault(.wrongHash) }
        return try source.read(1).isEmpty ? .complete : .fault(.trailingBytes)
    }
}
