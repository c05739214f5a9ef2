import Entries
import Sodium

/// A message of a reconciliation, or its answer.
struct Reconcile: Hashable {
    /// 0: the side that was dialled asks the other to begin.
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
        /// The stage was not carried through.
        case givenUp = 2
    }
}
