import Entries
import Sodium

/// Identifies a part of the frontier.
struct PartID: Hashable {
    fileprivate let raw: Int
}

/// The parts of the frontier in use: one for each common scope with some peer, other than everything
/// (`protocol/sync.md` §3).
///
/// Identities are told apart by their first eight bytes, as everywhere in the frontier. A collision with a given
/// identity takes 2⁶⁴ keys; two colliding ones of one maker take 2³², and are announced together.
struct FrontierParts {
    private struct Part {
        let owners: Set<UInt64>
        /// The part's items, in the order of reconciliation.
        var tree: FingerprintTree
        /// The number of its last change; at first the frontier's.
        var number: UInt64
        /// Links that use the part.
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

    /// Adds a user to the part of these identities; nil if there is no such part yet.
    mutating func join(_ owners: Set<UInt64>) -> PartID? {
        guard let known = parts.first(where: { $0.value.owners == owners })?.key else { return nil }
        parts[known]?.users += 1
        return known
    }

    /// Creates a part with one user.
    mutating func open(_ owners: Set<UInt64>, _ tree: FingerprintTree, number: UInt64) -> PartID {
        let id = PartID(raw: nextPart)
        nextPart += 1
        parts[id] = Part(owners: owners, tree: tree, number: number)
        return id
    }

    /// Removes a user; a part without users is dropped.
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
