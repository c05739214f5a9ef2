/// What a reader sees of a post's words.
package enum PostContent: Hashable, Sendable {
    case shown(Text)
    /// Neither the post's body nor that of an edit is here yet.
    case wanted
    case deleted

    /// Text and title, with the entry that holds them: the post, or an edit of it.
    package struct Text: Hashable, Sendable {
        package let text: String
        package let title: String
        package let source: EntryID

        package init(text: String, title: String, source: EntryID) {
            self.text = text
            self.title = title
            self.source = source
        }
    }

    /// Whether the words of this post that are shown are an edit's.
    package func isEdit(of post: EntryID) -> Bool {
        switch self {
        case .shown(let text): text.source != post
        case .wanted, .deleted: false
        }
    }
}
