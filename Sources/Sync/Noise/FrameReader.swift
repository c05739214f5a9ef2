/// Splits the decrypted stream into protocol messages, independent of Noise message boundaries
/// (`protocol/channel.md` §4).
struct FrameReader: Sendable {
    /// The bytes of length and type received so far, as one big-endian number.
    private var header: UInt64 = 0
    private var headerCount = 0
    private var bodyCount = 0
    private var body: [UInt8] = []

    /// Appends the messages that these bytes complete to `events`.
    ///
    /// A length out of range is refused as soon as its four bytes are there.
    mutating func take(_ plaintext: [UInt8], into events: inout [ChannelEvent]) throws(ChannelViolation) {
        var rest = plaintext[...]
        while let byte = rest.first {
            if headerCount < Frame.headerBytes {
                try takeHeader(byte)
                rest = rest.dropFirst()
                if headerCount < Frame.headerBytes { continue }
            }
            let missing = rest.prefix(bodyCount - body.count)
            body.append(contentsOf: missing)
            rest = rest.dropFirst(missing.count)
            if body.count == bodyCount {
                events.append(.message(Frame(type: UInt8(truncatingIfNeeded: header), body: body)))
                body = []
                header = 0
                headerCount = 0
            }
        }
    }

    private mutating func takeHeader(_ byte: UInt8) throws(ChannelViolation) {
        header = header << 8 | UInt64(byte)
        headerCount += 1
        if headerCount == 4 {
            let length = UInt32(truncatingIfNeeded: header)
            guard length >= 1, length <= Limits.maximumMessageBytes else { throw .messageLength(length) }
            bodyCount = Int(length) - 1
            // An authenticated peer may make this node reserve 1 MiB, once.
            body.reserveCapacity(bodyCount)
        }
    }
}
