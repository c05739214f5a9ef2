import Entries

extension Chunks {
    /// Packs chunks into messages of the usual size, the last with the number.
    static func frames(
        _ chunks: [UnverifiedChunk],
        lacking: [LogID],
        lackingBefore: [LogID] = [],
        number: UInt64?
    ) -> [Frame] {
        var frames: [Frame] = []
        var message = Chunks()
        message.lacking = lacking
        message.lackingBefore = lackingBefore
        var bytes = (lacking.count + lackingBefore.count) * Limits.lackingItemBytes
        for chunk in chunks {
            let isFull = bytes + chunk.wireBytes > Limits.chunksMessageBytes
            if isFull || message.chunks.count >= Limits.chunksPerMessage, bytes > 0 {
                frames.append(Message.chunks(message).frame)
                message = Chunks()
                bytes = 0
            }
            message.chunks.append(chunk)
            bytes += chunk.wireBytes
        }
        message.number = number == 0 ? nil : number
        frames.append(Message.chunks(message).frame)
        return frames
    }
}
