import Entries
import Sodium

/// A Reconcile message: a question or its answer (`protocol/sync.md` §13).
struct Reconcile: Hashable {
    /// 0: the listener asks the dialler to begin a run.
    let stage: UInt32
    let round: UInt32
    let message: [UInt8]

    static let begin = Reconcile(stage: 0, round: 0, message: [])
}

struct ItemsQuestion: Hashable {
    let stage: UInt32
    let ids: [Bytes32]
}

struct Items: Hashable {
    let stage: UInt32
    let logs: [HeldLog]
    let end: End

    enum End: UInt32 {
        case more = 0
        case last = 1
        /// The stage was given up.
        case givenUp = 2
    }
}
