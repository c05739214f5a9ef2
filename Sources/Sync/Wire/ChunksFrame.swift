package import Entries

/// The one message that a file of entries is made of (`protocol/bundle.md` §2).
package enum ChunksFrame {
    /// The number of Chunks among the messages.
    package static let type = MessageType.chunks.rawValue

    /// A message of these chunks; they are at most `Limits.maximumMessageBytes` of it and `Limits.chunksPerMessage`.
    package static func encode(_ chunks: [UnverifiedChunk]) -> Frame {
        Message.chunks(Chunks(chunks: chunks)).frame
    }

    /// The chunks of a message, with every length and bound checked, and nothing else; none for a message of another type.
    package static func decode(_ frame: Frame) throws(SyncViolation) -> [UnverifiedChunk] {
        guard frame.type == type, case .chunks(let chunks) = try Message(frame) else { return [] }
        return chunks.chunks
    }

    /// Chunks that a message may have, at most.
    package static let maximumCount = Limits.chunksPerMessage
}
