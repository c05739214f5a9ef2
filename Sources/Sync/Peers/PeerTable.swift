import Entries

/// The addresses that are known, each with what is known of it.
struct PeerTable {
    private var entries: [PeerAddress: PeerBook.Entry] = [:]
    /// Ascending, so that the order of dials is nobody's chance.
    private(set) var addresses: [PeerAddress] = []
    /// Entries that were ever made: the order in which they were.
    private var made: UInt64 = 0

    var all: [PeerBook.Entry] { addresses.compactMap { entries[$0] } }

    /// Changes what is there; it neither adds an address nor takes one away.
    subscript(_ address: PeerAddress) -> PeerBook.Entry? {
        get { entries[address] }
        set {
            guard let newValue, entries[address] != nil else { return }
            entries[address] = newValue
        }
    }

    /// In the place of what was known of its address.
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
