/// What may take the place of what lies behind a gap that nobody fills (`protocol/sync.md` §5): asked of a peer, and nothing is
/// let go of before it is proven.
enum Substitute: Hashable {
    /// What follows the entries before the gap, under a head that ends within it.
    case beginning(from: UInt64)
    /// The newest entries, under a head beyond what is held.
    case newest(from: UInt64)

    /// Where the gap starts.
    var from: UInt64 {
        switch self {
        case .beginning(let from), .newest(let from): from
        }
    }
}
