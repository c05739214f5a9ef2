package import Entries

/// The reading state of a home: position and posts shown. It never leaves the machine.
package struct ReaderState: Hashable, Sendable {
    /// The channel that is read and posted in when none is named; nil for all.
    package var channelInUse: Channel?
    /// In the order of joining.
    package var joined: [Channel] = []
    /// For each view, how far it was read.
    package var marks: [String: ReadMark] = [:]
    /// Posts shown lately, the latest last; at most `StorageLimits.shownPosts`.
    package var shown: [EntryID] = []

    package init() {}

    /// The name of the view of everything.
    package static let everything = ""
}

/// A person's name and its folded form, cached because a page shows who else has the same name.
package struct KnownName: Hashable, Sendable {
    package let identity: IdentityID
    /// Nil: never given, or not here yet.
    package let name: String?
    /// Equal for names that look alike.
    package let folded: String

    package init(identity: IdentityID, name: String?, folded: String) {
        self.identity = identity
        self.name = name
        self.folded = folded
    }
}
