/// What `scurry status` and `scurry peers` show of a running node. Ids in base32, times in Unix milliseconds.
package struct StatusReport: Hashable, Sendable, Codable {
    package let node: String
    package let network: String
    package let process: Int32
    package let startedAt: UInt64
    /// `host:port`; nil if nobody can call this node.
    package let listening: String?
    package let peers: [Peer]
    package let targets: [Target]
    package let fingerprint: String
    package let logs: UInt64
    /// Entries that count, of all logs; nil if the store was not asked.
    package let entries: Int?
    package let databaseBytes: Int?
    /// Logs of which some peer says to have more than is here and was not asked in vain, bodies that are wanted, logs whose writer forked.
    package let wantedLogs: Int
    package let wantedBodies: Int
    package let setAsideLogs: Int
    /// False until a peer of this start has shown what it holds of the own log: until then own posts wait.
    package let isOwnLogCleared: Bool
    package let isSigningStopped: Bool
    /// The device key is under a passphrase that this node does not have.
    package let isLocked: Bool
    /// Bytes of all sockets since the start.
    package let bytesReceived: UInt64
    package let bytesSent: UInt64
    /// Another program has taken the place of the one that runs; nil from a node that does not look.
    package let isReplaced: Bool?
    /// How many people's logs this node carries; nil: everybody's, or the node does not say.
    package let carriedPeople: Int?
    /// How many more it was set to carry, and cannot name.
    package let leftOutPeople: Int?
    /// Logs of which somebody offered more, and nobody supplies it; logs whose identity has spent its quota.
    package let unsuppliedLogs: Int?
    package let delayedLogs: Int?
    /// Whoever calls now is turned away.
    package let isFull: Bool?
    /// What the database and its log may take on the disk; nil: there is no budget.
    package let diskBudgetBytes: Int?
    /// Bodies that gave way for it; nil where the store was not asked.
    package let droppedBodies: Int?

    /// A connected peer.
    package struct Peer: Hashable, Sendable, Codable {
        package let node: String
        /// Where it was dialled, `HOST:PORT`, or the host that it called from; nil if the system does not say.
        package let address: String?
        package let direction: Direction
        package let agent: String
        package let connectedSince: UInt64
        /// When both were last seen to hold the same; nil: not yet in this connection.
        package let lastEqual: UInt64?
        /// Nothing is under way in either direction, and both hold the same.
        package let isInStep: Bool
        /// Logs asked of this peer and not yet here: how far behind it this node is.
        package let wants: Int
        /// How many people's logs both carry; nil: everybody's.
        package let commonPeople: Int?
        /// False: the peer does not carry the logs of the person here.
        package let carriesOwn: Bool?
        /// Logs that it offered and then did not have.
        package let lackedLogs: Int?
        /// When the last byte came; nil: the node does not say.
        package let lastHeard: UInt64?
        package let bytesReceived: UInt64
        package let bytesSent: UInt64

        package enum Direction: String, Hashable, Sendable, Codable {
            case incoming
            case outgoing
        }
    }

    /// An address that is dialled.
    package struct Target: Hashable, Sendable, Codable {
        package let address: String
        /// Who is expected there; nil until the first contact.
        package let node: String?
        package let isListed: Bool
        package let state: State
        package let failures: Int
        /// Until the next attempt; nil if none is waited for.
        package let retryInMilliseconds: UInt64?
        /// Why the last connection was refused; nil: it was not.
        package let refusal: Refusal?
        /// Why nobody calls it before the next attempt; nil: that is not so, or the node does not say.
        package let leftAlone: LeftAlone?
        /// What came of the last attempt, in plain words; nil: an answer, or the node does not say.
        package let failure: String?
        /// Who answers there in the place of the node that is known; nil: nobody does, or the node does not say.
        package let impostor: String?

        package enum LeftAlone: String, Hashable, Sendable, Codable {
            /// What answers there is no node of this network.
            case stranger
            /// It broke the protocol.
            case violation
        }

        package enum Refusal: String, Hashable, Sendable, Codable {
            /// No common version of the protocol.
            case version
            /// One of the two carries some people's logs alone, and the other does not know of that.
            case scope
            /// It has as many connections as it takes.
            case full
        }

        package enum State: String, Hashable, Sendable, Codable {
            case connected
            case dialling
            case waiting
            case idle
        }
    }
}
