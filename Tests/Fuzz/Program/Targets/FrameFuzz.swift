@testable internal import Sync

/// Both cutters of streams: wherever the bytes are cut, the same comes out, and it is what stood there.
enum FrameFuzz {
    static func run(_ input: inout FuzzInput) {
        let size = 1 + Int(input.byte())
        let bytes = input.all()
        frames(bytes, size)
        noiseMessages(bytes, size)
    }

    private struct Outcome<Item: Equatable>: Equatable {
        var items: [Item] = []
        var violation: ChannelViolation?
    }

    private static func frames(_ bytes: [UInt8], _ size: Int) {
        let whole = readFrames([bytes])
        if whole != readFrames(pieces(bytes, size)) { broken("frames depend on where the stream was cut") }
        var written: [UInt8] = []
        for case .message(let frame) in whole.items {
            withUnsafeBytes(of: UInt32(frame.body.count + 1).bigEndian) { written.append(contentsOf: $0) }
            written.append(frame.type)
            written.append(contentsOf: frame.body)
        }
        if !bytes.starts(with: written) { broken("a frame is not what stood in the stream") }
        if written.count > bytes.count { broken("a frame is longer than the stream") }
    }

    private static func readFrames(_ pieces: [[UInt8]]) -> Outcome<ChannelEvent> {
        var reader = FrameReader()
        var outcome = Outcome<ChannelEvent>()
        for piece in pieces {
            do throws(ChannelViolation) {
                try reader.take(piece, into: &outcome.items)
            } catch {
                outcome.violation = error
                return outcome
            }
        }
        return outcome
    }

    private static func noiseMessages(_ bytes: [UInt8], _ size: Int) {
        let whole = readMessages([bytes])
        if whole != readMessages(pieces(bytes, size)) { broken("messages depend on where the stream was cut") }
        var written: [UInt8] = []
        for message in whole.items {
            withUnsafeBytes(of: UInt16(message.count).bigEndian) { written.append(contentsOf: $0) }
            written.append(contentsOf: message)
        }
        if !bytes.starts(with: written) { broken("a message is not what stood in the stream") }
    }

    private static func readMessages(_ pieces: [[UInt8]]) -> Outcome<[UInt8]> {
        var reader = NoiseMessageReader()
        var outcome = Outcome<[UInt8]>()
        for piece in pieces {
            do throws(ChannelViolation) {
                try piece.withUnsafeBytes { buffer in
                    Result { () throws(ChannelViolation) in
                        var rest = buffer
                        while let message = try reader.next(from: &rest, lengths: 17...65_535) {
                            outcome.items.append(message.withUnsafeBytes { Array($0) })
                        }
                        if !rest.isEmpty { broken("bytes were left over") }
                    }
                }.get()
            } catch {
                outcome.violation = error
                return outcome
            }
        }
        return outcome
    }

    private static func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
