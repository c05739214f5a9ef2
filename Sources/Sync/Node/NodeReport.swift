package import Entries

/// Event that a person may act on; the shell writes it to the log file.
package enum NodeReport: Hashable, Sendable {
    case connected(NodeID, PeerAddress?, agent: String)
    case lost(NodeID, PeerAddress?, LossReason)
    case dialFailed(PeerAddress, DialFailure, retryInMilliseconds: UInt64)
    /// The other side accepted the connection, and ended it or fell silent before its handshake showed a node id.
    case unanswered(PeerAddress)
    /// The peer broke the protocol, and is dropped and banned for a while; at 0 milliseconds it is not banned. The node
    /// is nil before authentication.
    case violation(NodeID?, PeerAddress?, SyncViolation, backoffMilliseconds: UInt64)
    /// Another node answered than the one expected at this address.
    case wrongNode(PeerAddress, expected: NodeID, found: NodeID)
    case pinned(PeerAddress, NodeID)
    case connectedToSelf(PeerAddress)
    /// The peer speaks no version that this node speaks: `oldest` is the least that it does.
    case noCommonVersion(NodeID, PeerAddress?, oldest: UInt32, listing: Listing)
    /// One of the two sides refused the connection, for this reason.
    case refused(NodeID, PeerAddress?, Goodbye, by: Speaker)
    /// This node and the peer hold the same, within their common scope.
    case caughtUp(NodeID)
    /// The peer, of version 1, has shown a signed history of this log that differs from the one held here; the log is
    /// not asked of this peer any more.
    case branchOfPeer(LogID, NodeID)
    /// Entries of the own log that never left differ from what a peer has proven: nothing more of the log is asked for
    /// or taken (`protocol/own-log.md` §4).
    case ownLogSetAside(LogID)
    /// The writer of this log signed two histories: entries from this one on do not count until its person settles the
    /// log.
    case forked(LogID, at: UInt64)
    /// The store cannot read or store this log; until the next start nothing of it is fetched.
    case logLeftOut(LogID)
    /// A peer, or nil for a bundle, has proven more of the own log than this home holds, or another branch: the home
    /// was copied, or restored from a backup. Nothing more is signed.
    case ownLogIsLonger(NodeID?, held: UInt64, shown: UInt64)
    /// The own log has ended: nothing more is signed on this device.
    case ownLogEnded(OwnLogEnd)
}

extension NodeReport {
    /// Whether a person listed a peer.
    package enum Listing: Hashable, Sendable {
        case listed
        case unlisted
    }

    /// The side of a connection that says something.
    package enum Speaker: Hashable, Sendable {
        case thisNode
        case peer
    }
}

/// Why the own log goes no further. All are final but `notCarried`: then signing resumes once the log is carried again.
package enum OwnLogEnd: Hashable, Sendable {
    /// The device signed two histories: the home was copied, say.
    case forked
    /// The person settled the log.
    case settled
    /// The person ended the account.
    case accountEnded
    /// The identity has too many logs.
    case notCarried
}

/// Why an authenticated session is over.
package enum LossReason: Hashable, Sendable {
    case closedByPeer
    case goodbye(Goodbye)
    case idle
    case noProgress
    /// The peer takes nothing of what is queued for it.
    case notReading
    case stopping
    /// A person removed the peer from the list.
    case removed
    /// A guest from another host, with fewer connections, took its place.
    case gaveWay
}
