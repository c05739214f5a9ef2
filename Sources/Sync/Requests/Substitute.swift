/// A chunk asked of a peer to replace the entries behind a gap that nobody fills (`protocol/sync.md` §5); nothing is
/// dropped before it is verified.
enum Substitute: Hashable {
    /// The entries that follow those before the gap, under a head that ends within it or with it.
    case beginning(from: UInt64)
    /// The newest entries, under a head beyond what is held.
    case newest(from: UInt64)
    /// The newest entries of a peer that has shown a part of the gap, under a head that ends within it or with it.
    case older(from: UInt64)

    /// Where the gap starts.
    var from: UInt64 {
        switch self {
        case .beginning(let from), .newest(let from), .older(let from): from
        }
    }

    var isBeginning: Bool {
        switch self {
        case .beginning: true
        case .newest, .older: false
        }
    }

    /// How far a peer has answered a request for one.
    enum Progress: Hashable {
        case asked(Substitute)
        /// The first chunk has come, the only one that is looked at; the rest of the answer goes on from `next`.
        case answering(next: UInt64)
    }
}
