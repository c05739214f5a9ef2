import Entries

/// What an open request to the store is for; its answer finds that by the request's id.
///
/// It is forgotten with the answer, and with the end of its session: an answer that comes later is ignored.
enum StoreQuestion: Hashable {
    /// What the peer asked for: `Serving.reading`.
    case serving(SessionID)
    /// Entries to push to a returning peer: `Announcer.Resumption`.
    case resumption(SessionID)
    /// The root of the log written here up to its published end, for the peer's Hello.
    case published(SessionID, end: UInt64)
    /// Nodes of the log written here, to judge what the peer says of it: `Link.ownLog`.
    case ownNodes(SessionID)
    /// What the peer showed in place of the entries it claims of that log: `Link.ownLog`.
    case claim(SessionID)
    /// The prefix that the peer showed of a disputed log: `Dispute.weighing`.
    case dispute(SessionID, LogID)
    /// Own nodes for the next step of a dispute: `Dispute.descending`.
    case descent(SessionID, LogID)
    /// Words of several peers, to be checked: `WordQueue`.
    case words

    /// The session with whose end the answer is of no use any more.
    var session: SessionID? {
        switch self {
        case .serving(let id), .resumption(let id), .published(let id, _), .ownNodes(let id), .claim(let id),
            .dispute(let id, _), .descent(let id, _):
            id
        case .words: nil
        }
    }
}
