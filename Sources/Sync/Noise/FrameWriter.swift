internal import Sodium

/// Encrypts protocol messages as one stream, cut into Noise messages of the maximum length.
///
/// On the wire each is `u16 length ‖ ciphertext`; the plaintext is written in place and encrypted there.
struct FrameWriter {
    /// Plaintext bytes of the longest Noise message: 65,519.
    static let sliceBytes = Limits.maximumNoiseMessageBytes - ChaChaPoly.tagCount
    private static let prefixBytes = 2

    static func seal(_ frames: [Frame], with cipher: inout TransportCipher) -> [UInt8] {
        // The standard library writes the count of an array of no capacity into the one empty array that all threads
        // share.
        guard !frames.isEmpty else { return [] }
        let total = frames.reduce(0) { $0 + Frame.headerBytes + $1.body.count }
        let slices = (total + sliceBytes - 1) / sliceBytes
        let size = total + slices * (prefixBytes + ChaChaPoly.tagCount)
        return [UInt8](unsafeUninitializedCapacity: size) { array, count in
            let output = UnsafeMutableRawBufferPointer(array)
            var position = 0
            for frame in frames {
                precondition(frame.body.count < Limits.maximumMessageBytes, "a message has at most 1 MiB")
                let length = UInt32(truncatingIfNeeded: frame.body.count + 1).bigEndian
                withUnsafeBytes(of: length) { write($0, to: output, at: &position) }
                withUnsafeBytes(of: frame.type) { write($0, to: output, at: &position) }
                frame.body.withUnsafeBytes { write($0, to: output, at: &position) }
            }
            for slice in 0..<slices {
                let sealed = min(sliceBytes, total - slice * sliceBytes) + ChaChaPoly.tagCount
                let start = place(of: slice * sliceBytes)
                output.storeBytes(
                    of: UInt16(truncatingIfNeeded: sealed).bigEndian,
                    toByteOffset: start - prefixBytes,
                    as: UInt16.self
                )
                cipher.seal(UnsafeMutableRawBufferPointer(rebasing: output[start..<start + sealed]))
            }
            count = size
        }
    }

    /// The offset in the output of a byte of the stream: behind its slice's length and the slices before.
    private static func place(of position: Int) -> Int {
        position + prefixBytes + position / sliceBytes * (prefixBytes + ChaChaPoly.tagCount)
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer,
        to output: UnsafeMutableRawBufferPointer,
        at position: inout Int
    ) {
        var rest = bytes
        while !rest.isEmpty {
            let count = min(sliceBytes - position % sliceBytes, rest.count)
            let start = place(of: position)
            UnsafeMutableRawBufferPointer(rebasing: output[start..<start + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            position += count
        }
    }
}
