package import Entries

/// What a person may act on; the shell writes it to the log.
package enum NodeReport: Hashable, Sendable {
    case connected(NodeID, PeerAddress?, agent: String)
    case lost(NodeID, PeerAddress?, LossReason)
    case dialFailed(PeerAddress, DialFailure, retryInMilliseconds: UInt64)
    /// Somebody there took the connection, and ended it or fell silent before it had shown who it is.
    case unanswered(PeerAddress)
    /// The peer broke the protocol; it is dropped and left alone for a while. The node is nil before authentication.
    case violation(NodeID?, PeerAddress?, SyncViolation, backoffMilliseconds: UInt64)
    /// Another node answered than the one that is pinned for this address.
    case wrongNode(PeerAddress, expected: NodeID, found: NodeID)
    case pinned(PeerAddress, NodeID)
    case connectedToSelf(PeerAddress)
    case noCommonVersion(NodeID, oldest: UInt32)
    /// One of the two sides will not have the connection, and says why.
    case refused(NodeID, PeerAddress?, Goodbye, by: Speaker)
    /// A peer holds everything that this node holds, and this node everything of the peer's.
    case caughtUp(NodeID)
    /// The writer of this log signed two histories; nothing more of it is asked for.
    case forkSetAside(LogID)
    /// The writer of this log signed two histories: nothing from this entry on counts until the person settles it.
    case forked(LogID, at: UInt64)
    /// What the store has of this log is unreadable; until the next start nothing of it is fetched.
    case logLeftOut(LogID)
    /// A peer, or nil for a bundle, has proven more of the own log than this home holds, or another branch of it: the home was copied, or
    /// restored from a backup. Nothing more is signed.
    case ownLogIsLonger(NodeID?, held: UInt64, shown: UInt64)
    /// Nothing more is signed on this device.
    case ownLogEnded(OwnLogEnd)
}

extension NodeReport {
    /// Which of two sides says something.
    package enum Speaker: Hashable, Sendable {
        case thisNode
        case peer
    }
}

/// Why the log that is written here goes no further, for good.
package enum OwnLogEnd: Hashable, Sendable {
    /// Its device signed two histories: the home was copied, say.
    case forked
    /// The person settled it.
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
    /// It takes nothing of what is sent to it.
    case notReading
    case duplicate
    case stopping
    /// A person does not list it any more.
    case removed
    case tooManyPeers
    /// Another host, with fewer connections, took its place.
    case gaveWay
}
