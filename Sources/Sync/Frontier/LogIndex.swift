import Entries
import Sodium

/// A hash index from log id to 32-bit log number, with open addressing over the frontier's own array of ids, so that no
/// id is stored twice.
struct LogIndex {
    /// A log number plus one; 0: free.
    private var slots: [UInt32] = [UInt32](repeating: 0, count: 16)
    /// Odd and secret, so that the slot of an id cannot be predicted from outside.
    private let factor: UInt64
    private let secret: UInt64

    init(secret: UInt64 = 0) {
        var chance = Chance(seed: secret)
        self.secret = chance.next()
        factor = chance.next() | 1
    }

    /// Makes room for so many logs at a load of at most two thirds: 6 to 12 bytes each.
    mutating func reserve(_ capacity: Int, ids: [LogID]) {
        var size = slots.count
        while size * 2 < capacity * 3 { size *= 2 }
        guard size > slots.count else { return }
        slots = [UInt32](repeating: 0, count: size)
        for (number, id) in ids.enumerated() { place(id, UInt32(number)) }
    }

    func number(of id: LogID, in ids: [LogID]) -> UInt32? {
        var slot = start(id)
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if ids[Int(number)] == id { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the last of `ids`, which must be new.
    mutating func insertLast(of ids: [LogID]) {
        guard let id = ids.last else { return }
        if ids.count * 3 > slots.count * 2 {
            reserve(ids.count, ids: ids)
        } else {
            place(id, UInt32(ids.count - 1))
        }
    }

    private mutating func place(_ id: LogID, _ number: UInt32) {
        var slot = start(id)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = number + 1
    }

    // A log id is the hash of a certificate without its signature, so that ids with equal bits cost an attacker only
    // hashing. Without the secret they would form one run of slots, walked on each lookup of such an id.
    private func start(_ id: LogID) -> Int {
        let mixed = (id.raw.prefix64 ^ secret) &* factor
        return Int(truncatingIfNeeded: mixed >> UInt64(64 - slots.count.trailingZeroBitCount))
    }
}
