#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Replaces text and title of a post of the same identity: kind 2 (`protocol/payload.md` §3).
package struct Edit: Equatable, Sendable {
    package let salt: Salt
    package let post: EntryID
    package let text: String
    package let title: String

    /// Checks the rules of the content; an empty title removes the post's.
    ///
    /// - Throws: `titleLength`.
    package init(salt: Salt, post: EntryID, text: String, title: String = "") throws(PayloadError) {
        guard title.utf8.count <= PayloadLimits.titleBytes else { throw .rule(.titleLength) }
        self.salt = salt
        self.post = post
        self.text = text
        self.title = title
    }
}

extension Edit {
    init(wire: WireEdit) throws(PayloadError) {
        try self.init(
            salt: Salt(wire: wire.salt),
            post: EntryID(wire: wire.post),
            text: wire.text,
            title: wire.title
        )
    }

    var wire: WireEdit {
        var wire = WireEdit()
        wire.salt = Data(salt.bytes)
        wire.post = Data(post.bytes)
        wire.text = text
        wire.title = title
        return wire
    }
}
