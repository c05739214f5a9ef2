/// What a set of counted entries amounts to, held in memory: the reference of the fold (`protocol/fold.md`).
///
/// A pure function of the set: each part grows, or is won by the greatest place, so neither the order of arrival nor
/// duplicates nor batches show. What a delete covers leaves no trace but its header's; so two states are equal whether
/// they saw a body before it was erased or never.
package struct FoldState: Equatable, Sendable {
    private(set) var posts: [EntryID: FoldedPost] = [:]
    private(set) var edits: [EntryID: FoldedEdit] = [:]
    private(set) var profiles: [EntryID: FoldedProfile] = [:]
    /// By what is voted on, then by who votes.
    private(set) var votes: [EntryID: [IdentityID: Register<Vote.Value>]] = [:]
    /// By who follows, then by whom.
    private(set) var follows: [IdentityID: [IdentityID: Register<Follow.Value>]] = [:]
    /// By who deletes: an id covers nothing but an entry of the same identity.
    private(set) var deletes: [IdentityID: Set<EntryID>] = [:]

    package init() {}

    /// Folds one counted entry in; what it means is decided here, never whether it is valid.
    ///
    /// The log that orders it is the one in its header.
    package mutating func insert(_ entry: Entry, by identity: IdentityID) {
        guard let kind = entry.header.foldedKind else { return }
        guard let bytes = entry.payload else {
            // Without its body only a post is there: the header says neither what an edit is of nor what a profile has.
            if kind == .post { join(FoldedPost(entry.header, id: entry.id, by: identity, body: .wanted)) }
            return
        }
        let payload = try? Payload.decode(kind: kind.rawValue, bytes: bytes)
        if kind == .post {
            var body = FoldedPost.Body.unreadable
            if case .post(let post) = payload { body = .readable(post) }
            join(FoldedPost(entry.header, id: entry.id, by: identity, body: body))
        }
        switch payload {
        case nil, .post: break
        case .edit(let edit):
            join(FoldedEdit(id: entry.id, identity: identity, edit: edit, place: WritePlace(header: entry.header)))
        case .profile(let profile):
            join(
                FoldedProfile(
                    id: entry.id,
                    identity: identity,
                    profile: profile,
                    place: WritePlace(header: entry.header)
                )
            )
        case .vote(let vote):
            for (place, choice) in vote.choices.enumerated() {
                let write = Register(choice.value, at: WritePlace(header: entry.header, place: place))
                votes[choice.post, default: [:]][identity, default: write].join(write)
            }
        case .follow(let follow):
            for (place, choice) in follow.choices.enumerated() {
                let write = Register(choice.value, at: WritePlace(header: entry.header, place: place))
                follows[identity, default: [:]][choice.identity, default: write].join(write)
            }
        case .delete(let delete):
            cover(delete.entries, by: identity)
        }
    }

    /// Folds in everything that another state has seen.
    package mutating func merge(_ other: FoldState) {
        for (identity, ids) in other.deletes { cover(ids, by: identity) }
        for post in other.posts.values { join(post) }
        for edit in other.edits.values { join(edit) }
        for profile in other.profiles.values { join(profile) }
        for (target, writes) in other.votes {
            votes[target, default: [:]].merge(writes) { Self.joined($0, $1) }
        }
        for (identity, writes) in other.follows {
            follows[identity, default: [:]].merge(writes) { Self.joined($0, $1) }
        }
    }

    /// True if a counted delete of the identity names the entry.
    package func isCovered(_ id: EntryID, by identity: IdentityID) -> Bool {
        deletes[identity]?.contains(id) ?? false
    }

    private mutating func join(_ post: FoldedPost) {
        var post = post
        if isCovered(post.id, by: post.identity) { post.body = .erased }
        posts[post.id, default: post].body.join(post.body)
    }

    private mutating func join(_ edit: FoldedEdit) {
        if !isCovered(edit.id, by: edit.identity) { edits[edit.id] = edit }
    }

    private mutating func join(_ profile: FoldedProfile) {
        if !isCovered(profile.id, by: profile.identity) { profiles[profile.id] = profile }
    }

    private mutating func cover(_ ids: some Sequence<EntryID>, by identity: IdentityID) {
        for id in ids {
            deletes[identity, default: []].insert(id)
            if posts[id]?.identity == identity { posts[id]?.body = .erased }
            if edits[id]?.identity == identity { edits[id] = nil }
            if profiles[id]?.identity == identity { profiles[id] = nil }
        }
    }

    private static func joined<Value>(_ left: Register<Value>, _ right: Register<Value>) -> Register<Value> {
        var register = left
        register.join(right)
        return register
    }
}
