internal import Sodium

/// A post's channels and reply, read from its bytes without its text.
///
/// Succeeds exactly when `Payload.decode` gives a post, by the same rules, but makes no strings: a fold reads a hundred
/// thousand posts.
package struct PostOutline: Equatable, Sendable {
    package let channels: [Channel]
    /// Nil in a post that begins a thread.
    package let reply: Post.Reply?

    /// Parses a payload of kind 1.
    ///
    /// - Throws: why it folds to nothing.
    package init(_ bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count <= EntryLimits.maximumPayloadBytes else { throw .rule(.payloadLength) }
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

    /// The outline of a decoded post.
    package init(_ post: Post) {
        channels = post.channels
        reply = post.reply
    }
}

/// Fields of `message Post` in order; in the strict form only channels repeat.
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

    /// Reads one field; false if that fails, which the strict form rules out.
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

    /// Nil if it is empty, which means absent.
    private static func id(_ bytes: ArraySlice<UInt8>) throws(PayloadError) -> EntryID? {
        if bytes.isEmpty { return nil }
        guard let id = EntryID(bytes) else { throw .rule(.idLength) }
        return id
    }
}
