import Entries

/// A post in the fold: its header's fields, and its body.
struct FoldedPost: Equatable, Sendable {
    let id: EntryID
    let identity: IdentityID
    let log: LogID
    let sequence: UInt64
    /// Folded time, Unix milliseconds.
    let time: UInt64
    var body: Body

    /// In ascending order: a later case replaces an earlier one.
    enum Body: Equatable, Sendable {
        case wanted
        /// The payload breaks a rule: the post shows nothing, unless a delete covers it.
        case unreadable
        case readable(Post)
        /// A delete covers it: its content is gone, whether or not it was readable.
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
