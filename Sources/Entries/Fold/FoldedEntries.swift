/// A post as the fold keeps it: what its header says, and its body as far as that may be read.
struct FoldedPost: Equatable, Sendable {
    let id: EntryID
    let identity: IdentityID
    let log: LogID
    let sequence: UInt64
    /// Folded, Unix milliseconds.
    let time: UInt64
    var body: Body

    /// Ascending: a later case takes the place of an earlier one.
    enum Body: Equatable, Sendable {
        case wanted
        /// The payload breaks a rule: the post shows nothing, unless a delete covers it.
        case unreadable
        case readable(Post)
        /// A delete covers it: what it said is gone, whether it could be read or not.
        case erased

        mutating func join(_ other: Body) {
            if other.rank > rank { self = other }
        }

        private var rank: Int {
            switch self {
            case .wanted: 0
            case .unreadable: 1
            case .readable: 2
            case .erased: 3
            }
        }
    }

    init(_ header: EntryHeader, id: EntryID, by identity: IdentityID, body: Body) {
        self.id = id
        self.identity = identity
        log = header.log
        sequence = header.sequence
        time = header.foldedTime
        self.body = body
    }
}

/// An edit that no delete covers.
struct FoldedEdit: Equatable, Sendable {
    let id: EntryID
    let identity: IdentityID
    let edit: Edit
    let place: WritePlace
}

/// A profile that no delete covers.
struct FoldedProfile: Equatable, Sendable {
    let id: EntryID
    let identity: IdentityID
    let profile: Profile
    let place: WritePlace
}
