/// A running node's status, as `scurry status` and `scurry peers` show it. Ids in base32, times in Unix milliseconds.
package struct StatusReport: Hashable, Sendable, Codable {
    package let node: String
    package let network: String
    package let process: Int32
    /// Reckoned back by the monotonic clock: the wall clock may have been set since.
    package let startedAt: UInt64
    /// `host:port`; nil if the node accepts no connections.
    package let listening: String?
    package let peers: [Peer]
    package let targets: [Target]
    package let fingerprint: String
    package let logs: UInt64
    /// Counted entries of all logs; nil if the store was not read.
    package let entries: Int?
    package let databaseBytes: Int?
    /// Logs of which a peer offers more than is held, or of which only a part has come; those that were asked for in
    /// vain are in `unsuppliedLogs`.
    package let wantedLogs: Int
    /// Bodies that are wanted.
    package let wantedBodies: Int
    /// Logs whose writer forked.
    package let setAsideLogs: Int
    /// False until a peer has shown, since the start, what it holds of the own log: own entries are withheld until
    /// then.
    package let isOwnLogCleared: Bool
    package let isSigningStopped: Bool
    /// The device key is under a passphrase that this node does not have.
    package let isLocked: Bool
    /// Bytes of all sockets since the start.
    package let bytesReceived: UInt64
    package let bytesSent: UInt64
    /// The program file was replaced since the start; nil from a node that does not check.
    package let isReplaced: Bool?
    /// Identities whose logs are carried; nil: all, or the node does not say.
    package let carriedPeople: Int?
    /// Identities in the setting that did not fit in the scope.
    package let leftOutPeople: Int?
    /// Logs that a peer offered and no connected peer supplies.
    package let unsuppliedLogs: Int?
    /// Logs that wait because their identity's quota is used up.
    package let delayedLogs: Int?
    /// New connections are refused.
    package let isFull: Bool?
    /// Budget of the database and its WAL on disk; nil: none.
    package let diskBudgetBytes: Int?
    /// Bodies evicted for the budget, as the store's `evictedBodies`; the name is that of the key in JSON. Nil if the
    /// store was not read.
    package let droppedBodies: Int?
    /// Why nothing gives way to the budget, in plain words: the database may outgrow it. Nil: nothing had to, it did,
    /// or the node does not say.
    package let budgetFailure: String?
    /// Why the last write of the store failed, in plain words, while none has succeeded since; of an own entry for ten
    /// minutes. Nil: it succeeded, there was none, or the node does not say.
    package let storeFailure: String?
    /// Something that a peer brought is not stored, since a write failed; nil: the node does not say.
    package let isStoreBehind: Bool?
    /// The node is a command's, for one round; nil: the node does not say.
    package let isRound: Bool?
    /// When it was last in step with a peer that is connected, or was since the start; nil: never, or the node does not
    /// say.
    package let lastInStep: UInt64?

    /// A connected peer.
    package struct Peer: Hashable, Sendable, Codable {
        package let node: String
        /// The dialled address, `HOST:PORT`, or the host of an incoming connection; nil if the system does not say.
        package let address: String?
        package let direction: Direction
        package let agent: String
        package let connectedSince: UInt64
        /// When both sides last held the same; nil: not yet on this connection.
        package let lastEqual: UInt64?
        /// Nothing is in flight in either direction, and both sides hold the same.
        package let isInStep: Bool
        /// Logs requested from this peer and not yet received: the lag behind it.
        package let wants: Int
        /// Identities in the common scope; nil: all.
        package let commonPeople: Int?
        /// False: the peer does not carry the own identity.
        package let carriesOwn: Bool?
        /// Logs that it offered and then did not supply.
        package let lackedLogs: Int?
        /// When the last byte arrived; nil: the node does not say.
        package let lastHeard: UInt64?
        package let bytesReceived: UInt64
        package let bytesSent: UInt64

        package enum Direction: String, Hashable, Sendable, Codable {
            case incoming
            case outgoing
        }
    }

    /// A dial target.
    package struct Target: Hashable, Sendable, Codable {
        package let address: String
        /// The expected node; nil until the first contact.
        package let node: String?
        package let isListed: Bool
        package let state: State
        package let failures: Int
        /// Time to the next attempt; nil if none is scheduled.
        package let retryInMilliseconds: UInt64?
        /// Why the last connection was refused; nil if it was not.
        package let refusal: Refusal?
        /// Why the target is not dialled before the next attempt; nil: it may be, or the node does not say.
        package let leftAlone: LeftAlone?
        /// Why the last call failed, or that it was taken and not answered, in plain words; nil: it did not fail, or
        /// the node does not say.
        package let failure: String?
        /// The node that answers in place of the expected one; nil: none, or the node does not say.
        package let impostor: String?
        /// It is due, and waits until fewer calls are under way; nil: the node does not say.
        package let isQueued: Bool?
        /// When the last connection with its node that has ended was last in step; nil: never since the start, or the
        /// node does not say.
        package let lastInStep: UInt64?

        package enum LeftAlone: String, Hashable, Sendable, Codable {
            /// It is no node of this network.
            case stranger
            /// It broke the protocol.
            case violation
        }

        package enum Refusal: String, Hashable, Sendable, Codable {
            /// No common version of the protocol.
            case version
            /// One side carries a limited scope, and the other does not know scopes.
            case scope
            /// It has reached its limit of connections, or leaves this node alone for a violation.
            case full
            /// Another node with this one's key replaced the connection again and again.
            case twin
        }

        package enum State: String, Hashable, Sendable, Codable {
            case connected
            case dialling
            case waiting
            case idle
        }
    }
}
