import Entries

/// The known addresses with their entries.
struct PeerTable {
    private var entries: [PeerAddress: PeerBook.Entry] = [:]
    /// Ascending, so that the order of dials is deterministic.
    private(set) var addresses: [PeerAddress] = []
    /// The number of entries ever inserted, which numbers them in order.
    private var made: UInt64 = 0

    var all: [PeerBook.Entry] { addresses.compactMap { entries[$0] } }

    /// Modifies an existing entry; neither adds nor removes an address.
    subscript(_ address: PeerAddress) -> PeerBook.Entry? {
        get { entries[address] }
        set {
            guard let newValue, entries[address] != nil else { return }
            entries[address] = newValue
        }
    }

    /// Inserts an entry, or replaces that of the same address.
    mutating func insert(_ new: PeerBook.Entry) {
        var entry = new
        made += 1
        entry.number = made
        let address = entry.target.address
        guard entries.updateValue(entry, forKey: address) == nil else { return }
        addresses.insert(address, at: addresses.firstIndex { $0 > address } ?? addresses.count)
    }

    mutating func remove(_ address: PeerAddress) {
        entries[address] = nil
        addresses.removeAll { $0 == address }
    }
}
