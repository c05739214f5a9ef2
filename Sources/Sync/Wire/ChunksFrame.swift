package import Entries

/// The message in a bundle that carries entries: Chunks (`protocol/bundle.md` §2).
package enum ChunksFrame {
    /// The message type of Chunks.
    package static let type = MessageType.chunks.rawValue

    /// Encodes at most `maximumCount` chunks, which fill at most `Limits.maximumMessageBytes`.
    package static func encode(_ chunks: [UnverifiedChunk]) -> Frame {
        Message.chunks(Chunks(chunks: chunks)).frame
    }

    /// Decodes the chunks of a message, with lengths and bounds checked, but no proof; none for another type.
    package static func decode(_ frame: Frame) throws(SyncViolation) -> [UnverifiedChunk] {
        guard frame.type == type, case .chunks(let chunks) = try Message(frame) else { return [] }
        return chunks.chunks
    }

    /// The most chunks of a message.
    package static let maximumCount = Limits.chunksPerMessage
}
