package import Entries

/// The fold of a set of counted entries, in memory: the reference implementation (`protocol/fold.md`).
///
/// A pure function of the set: each part only grows or is a register won by the greatest place, so order, duplicates
/// and batches have no effect. A covered entry leaves only what its header says, so two states are equal whether or not
/// they saw its body before erasure.
package struct FoldState: Equatable, Sendable {
    private(set) var posts: [EntryID: FoldedPost] = [:]
    private(set) var edits: [EntryID: FoldedEdit] = [:]
    private(set) var profiles: [EntryID: FoldedProfile] = [:]
    /// By target, then by voter.
    private(set) var votes: [EntryID: [IdentityID: Register<Vote.Value>]] = [:]
    /// By follower, then by followed identity.
    private(set) var follows: [IdentityID: [IdentityID: Register<Follow.Value>]] = [:]
    /// By the deleting identity: a delete covers only entries of the same identity.
    private(set) var deletes: [IdentityID: Set<EntryID>] = [:]

    package init() {}

    /// Folds one counted entry; `entry.header.log` orders its writes.
    package mutating func insert(_ entry: Entry, by identity: IdentityID) {
        guard let kind = entry.header.foldedKind else { return }
        guard let bytes = entry.payload else {
            // Without a body only a post has effect: the header has neither an edit's target nor a profile's fields.
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

    /// Folds all entries of another state.
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

    /// Whether a counted delete of the identity names the entry.
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
