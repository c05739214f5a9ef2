import Entries

/// The known addresses with their entries.
struct PeerTable {
    /// Ascending by address, so that the order of dials is deterministic.
    private(set) var all: [PeerBook.Entry] = []
    /// The number of entries ever inserted, which numbers them in order.
    private var made: UInt64 = 0

    var addresses: [PeerAddress] { all.map(\.target.address) }

    /// Modifies an existing entry; neither adds nor removes an address.
    subscript(_ address: PeerAddress) -> PeerBook.Entry? {
        get { place(of: address).map { all[$0] } }
        set {
            guard let newValue, let place = place(of: address) else { return }
            all[place] = newValue
        }
    }

    /// Inserts an entry, or replaces that of the same address.
    mutating func insert(_ new: PeerBook.Entry) {
        var entry = new
        made += 1
        entry.number = made
        let address = entry.target.address
        if let place = place(of: address) {
            all[place] = entry
        } else {
            all.insert(entry, at: lowerBound(of: address))
        }
    }

    /// Inserts many at once, as `insert` does one after the other: moving the rest for each of a long list costs its
    /// square.
    mutating func insert(_ new: [PeerBook.Entry]) {
        var known: [PeerAddress: Int] = [:]
        for place in all.indices { known[all[place].target.address] = place }
        for entry in new {
            var entry = entry
            made += 1
            entry.number = made
            if let place = known[entry.target.address] {
                all[place] = entry
            } else {
                known[entry.target.address] = all.count
                all.append(entry)
            }
        }
        all.sort { $0.target.address < $1.target.address }
    }

    mutating func remove(_ address: PeerAddress) {
        if let place = place(of: address) { all.remove(at: place) }
    }

    mutating func removeAll(where isGone: (PeerBook.Entry) -> Bool) {
        all.removeAll(where: isGone)
    }

    private func place(of address: PeerAddress) -> Int? {
        let place = lowerBound(of: address)
        return place < all.count && all[place].target.address == address ? place : nil
    }

    private func lowerBound(of address: PeerAddress) -> Int {
        all.partitioningIndex { $0.target.address >= address }
    }
}
