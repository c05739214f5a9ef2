import Entries
import Sodium

/// Names a part of the frontier.
struct PartID: Hashable {
    fileprivate let raw: Int
}

/// The parts of the frontier that lie within scopes: one for each common scope with some peer that is not everything
/// (`protocol/sync.md §3`).
///
/// An identity is told by its first eight bytes, as everywhere in the frontier: to make another with those of somebody else
/// takes 2⁶⁴ keys. Two of one maker take 2³², and are spoken of together.
struct FrontierParts {
    private struct Part {
        let owners: Set<UInt64>
        /// Its items, in the order in which they are reconciled.
        var tree: FingerprintTree
        /// The number of its last change; at first of the frontier's.
        var number: UInt64
        /// Who compares it.
        var users = 1

        mutating func note(_ change: UInt64) {
            number = max(number, change)
        }
    }

    private var parts: [PartID: Part] = [:]
    private var nextPart = 0

    var isEmpty: Bool { parts.isEmpty }
    func holds(_ owner: UInt64, _ part: PartID) -> Bool { parts[part]?.owners.contains(owner) ?? false }
    func tree(_ part: PartID) -> FingerprintTree { parts[part]?.tree ?? FingerprintTree() }
    func sum(_ part: PartID) -> FingerprintSum { parts[part]?.tree.sum ?? FingerprintSum() }
    func number(_ part: PartID) -> UInt64 { parts[part]?.number ?? 0 }

    /// One user more of the part of these identities; nil if nobody uses it yet.
    mutating func join(_ owners: Set<UInt64>) -> PartID? {
        guard let known = parts.first(where: { $0.value.owners == owners })?.key else { return nil }
        parts[known]?.users += 1
        return known
    }

    /// A new part, and its first user.
    mutating func open(_ owners: Set<UInt64>, _ tree: FingerprintTree, number: UInt64) -> PartID {
        let id = PartID(raw: nextPart)
        nextPart += 1
        parts[id] = Part(owners: owners, tree: tree, number: number)
        return id
    }

    /// One user less; what nobody uses is dropped.
    mutating func close(_ part: PartID) {
        guard let users = parts[part]?.users else { return }
        if users > 1 { parts[part]?.users = users - 1 } else { parts[part] = nil }
    }

    mutating func insert(_ item: TimedItem, of owner: UInt64, number: UInt64) {
        for place in parts.indices where parts[place].value.owners.contains(owner) {
            parts.values[place].tree.insert(item)
            parts.values[place].note(number)
        }
    }

    mutating func remove(_ item: TimedItem, of owner: UInt64) {
        for place in parts.indices where parts[place].value.owners.contains(owner) {
            _ = parts.values[place].tree.remove(item)
        }
    }
}
