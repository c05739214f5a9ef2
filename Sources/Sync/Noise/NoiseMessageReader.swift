/// Splits a TCP stream into Noise messages, each behind its length, u16 big-endian (`protocol/channel.md` §3).
///
/// A message that lies entirely in the bytes received is not copied; of any other, at most 65,537 bytes are buffered.
struct NoiseMessageReader: Sendable {
    private static let prefixBytes = 2

    private var partial: [UInt8] = []

    /// A whole message, without its length.
    enum Message {
        /// It lies in the input bytes.
        case whole(UnsafeRawBufferPointer)

        /// It came in pieces; the array begins with the length.
        case joined([UInt8])
    }

    /// Takes the next message off the front of `input`; nil if more bytes are needed, and `input` is then empty.
    ///
    /// A length outside of `lengths` is refused as soon as its two bytes are there.
    mutating func next(
        from input: inout UnsafeRawBufferPointer,
        lengths: ClosedRange<Int>
    ) throws(ChannelViolation) -> Message? {
        if partial.isEmpty, input.count >= Self.prefixBytes {
            let end = Self.prefixBytes + (try Self.length(input, lengths))
            if input.count >= end {
                let message = UnsafeRawBufferPointer(rebasing: input[Self.prefixBytes..<end])
                input = UnsafeRawBufferPointer(rebasing: input[end...])
                return .whole(message)
            }
        }
        fill(upTo: Self.prefixBytes, from: &input)
        guard partial.count >= Self.prefixBytes else { return nil }
        let length = try partial.withUnsafeBufferPointer { bytes throws(ChannelViolation) in
            try Self.length(UnsafeRawBufferPointer(bytes), lengths)
        }
        let end = Self.prefixBytes + length
        partial.reserveCapacity(end)
        fill(upTo: end, from: &input)
        guard partial.count == end else { return nil }
        defer { partial = [] }
        return .joined(partial)
    }

    /// The length at the front of at least two bytes.
    private static func length(
        _ bytes: UnsafeRawBufferPointer,
        _ lengths: ClosedRange<Int>
    ) throws(ChannelViolation) -> Int {
        let length = Int(UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self)))
        guard lengths.contains(length) else { throw .noiseMessageLength(length) }
        return length
    }

    private mutating func fill(upTo count: Int, from input: inout UnsafeRawBufferPointer) {
        let taken = min(max(count - partial.count, 0), input.count)
        partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: input.prefix(taken)))
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
    }
}

extension NoiseMessageReader.Message {
    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .whole(let bytes):
            return try body(bytes)
        case .joined(let bytes):
            return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
                try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).dropFirst(2)))
            }
        }
    }
}
