internal import Sodium

/// What a post says besides words: where it stands and what it answers, read straight from its bytes.
///
/// There is one exactly where `Payload.decode` gives a post, by the same rules; but the words stay where they are, and a
/// fold that reads a hundred thousand posts makes no strings of them.
package struct PostOutline: Equatable, Sendable {
    package let channels: [Channel]
    /// Nil in a post that opens a thread.
    package let reply: Post.Reply?

    /// Reads a payload of kind 1.
    ///
    /// - Throws: why it folds to nothing.
    package init(_ bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count <= PayloadLimits.payloadBytes else { throw .rule(.payloadLength) }
        do {
            try PayloadForm.check(bytes, as: .post)
        } catch {
            throw .form(error)
        }
        var fields = Fields()
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard try fields.readOne(&reader) else { throw .refusedByDecoder }
        }
        guard fields.saltBytes == PayloadLimits.saltBytes else { throw .rule(.saltLength) }
        guard fields.titleBytes <= PayloadLimits.titleBytes else { throw .rule(.titleLength) }
        channels = fields.channels
        reply = try fields.reply
    }

    /// The outline of a post that is at hand.
    package init(_ post: Post) {
        channels = post.channels
        reply = post.reply
    }
}

/// The fields of `message Post` as they come; the form is checked, so that nothing comes twice but channels.
private struct Fields {
    var saltBytes = 0
    var titleBytes = 0
    var channels: [Channel] = []
    private var parent: EntryID?
    private var root: EntryID?

    var reply: Post.Reply? {
        get throws(PayloadError) {
            switch (parent, root) {
            case (nil, nil): return nil
            case (let parent?, let root?): return Post.Reply(parent: parent, root: root)
            case (nil, _?), (_?, nil): throw .rule(.replyHalf)
            }
        }
    }

    /// False if the field cannot be read, which its form does not allow.
    mutating func readOne(_ reader: inout ByteReader) throws(PayloadError) -> Bool {
        guard let tag = reader.varint() else { return false }
        switch tag & 7 {
        case 0: return reader.varint() != nil
        case 1: return reader.bytes(count: 8) != nil
        case 5: return reader.bytes(count: 4) != nil
        default: break
        }
        guard let length = reader.varint(), let bytes = reader.bytes(count: Int(clamping: length)) else { return false }
        switch tag >> 3 {
        case 1: saltBytes = bytes.count
        case 3: titleBytes = bytes.count
        case 4: try add(channel: bytes)
        case 5: parent = try Self.id(bytes)
        case 6: root = try Self.id(bytes)
        default: break
        }
        return true
    }

    private mutating func add(channel bytes: ArraySlice<UInt8>) throws(PayloadError) {
        guard channels.count < PayloadLimits.channelsPerPost else { throw .rule(.channelCount) }
        guard let channel = Channel(utf8: bytes) else { throw .rule(.channelName) }
        guard !channels.contains(channel) else { throw .rule(.channelRepeated) }
        channels.append(channel)
    }

    /// Nil if it is empty: an empty one is not there.
    private static func id(_ bytes: ArraySlice<UInt8>) throws(PayloadError) -> EntryID? {
        if bytes.isEmpty { return nil }
        guard let id = EntryID(bytes) else { throw .rule(.idLength) }
        return id
    }
}
