/// Which links are branches of the tree: those that get entries, and those that get names (Plumtree, SRDS 2007).
///
/// Each side of a link decides what it sends, and tells the other what it wants: so both know the same, but for what is on its
/// way. A link begins as a branch.
package struct Branches: Hashable, Sendable {
    /// Ascending, so that the order of pushes is nobody's chance; no peer is in both.
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

    /// False if it is one already, or no link at all.
    mutating func makeEager(_ peer: SessionID) -> Bool {
        guard let place = lazy.firstIndex(of: peer) else { return false }
        lazy.remove(at: place)
        eager.place(peer)
        return true
    }

    /// False if it is none already, or no link at all.
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
