/// The message when there is nothing to show, with the next command.
enum EmptyState: Equatable, Sendable {
    case noPosts
    /// No posts, in a home that cannot write: the reason and the way out.
    case noPostsOfOurs(SafeText, next: SafeText)
    /// There are posts, and none of them is due yet.
    case waiting(SafeText)
    /// A home without peers.
    case noPeers
    /// Everything is read, or nothing arrived since the given time.
    case nothingNew
    /// A channel without posts.
    case emptyChannel(SafeText)
    /// Channels without posts, in a home that cannot write: `#` and name of each, the reason and the way out.
    case emptyChannelsOfOurs(SafeText, SafeText, next: SafeText)
    /// A message of the caller's, with the command to type next.
    case nothingInPlace(SafeText, all: SafeText)
    /// The person follows nobody, or those who are followed wrote nothing.
    case nobodyFollowed
    /// The person named wrote nothing that is here.
    case nothingFrom(SafeText)

    /// The message for a channel alone, of a home whose empty feed has this one.
    func inChannel(_ name: SafeText) -> EmptyState {
        switch self {
        case .noPostsOfOurs(let reason, let next): .emptyChannelsOfOurs("#\(name)", reason, next: next)
        default: .emptyChannel(name)
        }
    }

    /// The message for several channels alone, `#` before each name: a post goes to no certain one of them.
    func inChannels(_ names: SafeText) -> EmptyState {
        switch self {
        case .noPostsOfOurs(let reason, let next): .emptyChannelsOfOurs(names, reason, next: next)
        default: .nothingInPlace("No posts in \(names) yet.", all: "scurry feed --all")
        }
    }

    func lines(_ look: Look) -> [StyledLine] {
        sentences.flatMap { said, next in
            Wrap.lines(said, width: look.width, prefix: " ")
                + CommandText.lines("next:", command: next, width: look.width - 1).map { " " + $0 }
        }
        .map { StyledLine($0) }
    }

    /// What is said, each with the command to type next.
    private var sentences: [(said: SafeText, next: SafeText)] {
        switch self {
        case .noPosts: [("No posts yet.", "scurry post \"Hello, campus\"")]
        case .noPostsOfOurs(let reason, let next): [("No posts; \(reason).", next)]
        case .waiting(let posts): [("No posts yet; \(posts).", "scurry doctor")]
        case .noPeers: [("No peers yet: nobody else's posts can arrive.", "scurry join HOST:7776")]
        case .nothingNew: [("Nothing new.", "scurry feed")]
        case .emptyChannel(let name): [("No posts in #\(name) yet.", "scurry post -c \(name) \"Hello\"")]
        // There may be posts elsewhere: without the first sentence a backup that was restored would look empty.
        case .emptyChannelsOfOurs(let names, let reason, let next):
            [("No posts in \(names) yet.", "scurry feed --all"), ("No post can be written: \(reason).", next)]
        case .nothingInPlace(let what, let all): [(what, all)]
        case .nobodyFollowed: [("Nothing from people you follow.", "scurry follow PERSON")]
        case .nothingFrom(let name): [("Nothing from \(name) here.", "scurry sync")]
        }
    }
}
