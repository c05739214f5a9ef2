package import Sync

/// The links by kind: eager ones, the branches of the tree, get entries; lazy ones get names (Plumtree, SRDS 2007).
///
/// Each side of a link decides what it sends and tells the other what it wants, so that both agree, but for messages on
/// their way. A link begins as a branch.
package struct Branches: Hashable, Sendable {
    /// Ascending, so that the order of pushes is deterministic; no peer is in both.
    package private(set) var eager: [SessionID] = []
    package private(set) var lazy: [SessionID] = []

    package init() {}

    package var count: Int { eager.count + lazy.count }

    package func contains(_ peer: SessionID) -> Bool { eager.contains(peer) || lazy.contains(peer) }

    mutating func add(_ peer: SessionID) {
        guard !contains(peer) else { return }
        eager.place(peer)
    }

    mutating func remove(_ peer: SessionID) {
        eager.removeAll { $0 == peer }
        lazy.removeAll { $0 == peer }
    }

    /// False if the link is a branch already, or unknown.
    mutating func makeEager(_ peer: SessionID) -> Bool {
        guard let place = lazy.firstIndex(of: peer) else { return false }
        lazy.remove(at: place)
        eager.place(peer)
        return true
    }

    /// False if the link is no branch already, or unknown.
    mutating func makeLazy(_ peer: SessionID) -> Bool {
        guard let place = eager.firstIndex(of: peer) else { return false }
        eager.remove(at: place)
        lazy.place(peer)
        return true
    }
}

extension [SessionID] {
    fileprivate mutating func place(_ peer: SessionID) {
        insert(peer, at: firstIndex { $0 > peer } ?? count)
    }
}
