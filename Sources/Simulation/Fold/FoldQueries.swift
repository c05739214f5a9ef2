package import Entries
package import Sodium

/// A post as a reader sees it.
package struct VisiblePost: Equatable, Sendable {
    package let id: EntryID
    package let identity: IdentityID
    package let log: LogID
    package let sequence: UInt64
    /// Folded time, Unix milliseconds.
    package let time: UInt64
    package let content: PostContent
    /// Empty if the post's own body is erased or not here.
    package let channels: [Channel]
    /// Ids only: the entries may be unknown, no posts, or deleted.
    package let reply: Post.Reply?

    package var isEdited: Bool { content.isEdit(of: id) }
    package var isDeleted: Bool { content == .deleted }
}

/// Number of identities that vote up and down.
package struct Tallies: Equatable, Sendable {
    package let up: Int
    package let down: Int

    package init(up: Int, down: Int) {
        self.up = up
        self.down = down
    }
}

/// An identity's profile; nil in a field that was never written, or whose entry is deleted or not here.
package struct ProfileView: Equatable, Sendable {
    package let name: String?
    package let fullName: String?
    package let bio: String?
    package let avatar: Bytes32?
}

/// Queries (`protocol/fold.md` §4–§6).
extension FoldState {
    /// The post; nil if the id is unknown, not a post's, or of a post whose payload breaks a rule.
    package func post(_ id: EntryID) -> VisiblePost? {
        guard let post = posts[id] else { return nil }
        let content: PostContent
        var channels: [Channel] = []
        var reply: Post.Reply?
        switch post.body {
        case .unreadable: return nil
        case .erased: content = .deleted
        case .wanted: content = edit(of: post).map { .shown($0) } ?? .wanted
        case .readable(let body):
            let own = PostContent.Text(text: body.text, title: body.title, source: id)
            content = .shown(edit(of: post) ?? own)
            channels = body.channels
            reply = body.reply
        }
        return VisiblePost(
            id: id,
            identity: post.identity,
            log: post.log,
            sequence: post.sequence,
            time: post.time,
            content: content,
            channels: channels,
            reply: reply
        )
    }

    /// The votes on an id, whether or not its entry is known.
    package func tallies(_ id: EntryID) -> Tallies {
        let values = votes[id, default: [:]].values.map(\.value)
        return Tallies(up: values.count { $0 == .up }, down: values.count { $0 == .down })
    }

    /// One identity's vote on an id.
    package func vote(of identity: IdentityID, on id: EntryID) -> Vote.Value {
        votes[id]?[identity]?.value ?? .withdrawn
    }

    package func following(_ identity: IdentityID) -> Set<IdentityID> {
        Set(follows[identity, default: [:]].filter { $0.value.value == .following }.keys)
    }

    package func profile(_ identity: IdentityID) -> ProfileView {
        let written = profiles.values.filter { $0.identity == identity }.sorted { $0.place > $1.place }.map(\.profile)
        return ProfileView(
            name: written.lazy.compactMap(\.name).first,
            fullName: written.lazy.compactMap(\.fullName).first,
            bio: written.lazy.compactMap(\.bio).first,
            avatar: written.lazy.compactMap(\.avatar).first
        )
    }

    /// The posts that a reader sees, in feed order, those with a wanted body included.
    ///
    /// A post later than `now` (Unix milliseconds) is seen by its author only. `reader` is nil on a node without a
    /// person.
    package func feed(at now: UInt64, for reader: IdentityID?) -> [EntryID] {
        posts.values
            .filter { post in
                switch post.body {
                case .unreadable, .erased: false
                case .wanted, .readable: post.time <= now || post.identity == reader
                }
            }
            .sorted { $0.time != $1.time ? $0.time > $1.time : $0.id < $1.id }
            .map(\.id)
    }

    private func edit(of post: FoldedPost) -> PostContent.Text? {
        edits.values
            .filter { $0.edit.post == post.id && $0.identity == post.identity }
            .max { $0.place < $1.place }
            .map { PostContent.Text(text: $0.edit.text, title: $0.edit.title, source: $0.id) }
    }
}
