#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A post: kind 1 (`protocol/payload.md` §3).
package struct Post: Equatable, Sendable {
    /// A reply's parent, and the post that began its thread; both or neither.
    package struct Reply: Hashable, Sendable {
        package let parent: EntryID
        package let root: EntryID

        package init(parent: EntryID, root: EntryID) {
            self.parent = parent
            self.root = root
        }
    }

    package let salt: Salt
    package let text: String
    package let title: String
    package let channels: [Channel]
    /// Nil in a post that begins a thread.
    package let reply: Reply?

    /// Checks the rules of the content; an empty title means none.
    ///
    /// - Throws: `titleLength`, `channelCount`, `channelRepeated`.
    package init(
        salt: Salt,
        text: String,
        title: String = "",
        channels: [Channel] = [],
        reply: Reply? = nil
    ) throws(PayloadError) {
        guard title.utf8.count <= PayloadLimits.titleBytes else { throw .rule(.titleLength) }
        guard channels.count <= PayloadLimits.channelsPerPost else { throw .rule(.channelCount) }
        guard Set(channels).count == channels.count else { throw .rule(.channelRepeated) }
        self.salt = salt
        self.text = text
        self.title = title
        self.channels = channels
        self.reply = reply
    }
}

extension Post {
    init(wire: WirePost) throws(PayloadError) {
        let salt = try Salt(wire: wire.salt)
        var channels: [Channel] = []
        // One name too many suffices for the refusal: the rest is not parsed.
        for name in wire.channels.prefix(PayloadLimits.channelsPerPost + 1) {
            guard let channel = Channel(name) else { throw .rule(.channelName) }
            channels.append(channel)
        }
        try self.init(
            salt: salt,
            text: wire.text,
            title: wire.title,
            channels: channels,
            reply: Reply(wire: wire)
        )
    }

    var wire: WirePost {
        var wire = WirePost()
        wire.salt = Data(salt.bytes)
        wire.text = text
        wire.title = title
        wire.channels = channels.map(\.description)
        if let reply {
            wire.parent = Data(reply.parent.bytes)
            wire.root = Data(reply.root.bytes)
        }
        return wire
    }
}

extension Post.Reply {
    /// Nil if both ids are empty, which means absent.
    fileprivate init?(wire: WirePost) throws(PayloadError) {
        guard wire.parent.isEmpty == wire.root.isEmpty else { throw .rule(.replyHalf) }
        if wire.parent.isEmpty { return nil }
        try self.init(parent: EntryID(wire: wire.parent), root: EntryID(wire: wire.root))
    }
}
