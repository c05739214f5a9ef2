internal import CSodium
internal import NIOConcurrencyHelpers

/// Slab allocator of guarded memory for secrets of at most 64 bytes.
///
/// `sodium_malloc` takes four pages and half a dozen system calls for each secret, and locks one of the pages; a
/// handshake makes dozens of short-lived secrets, a node holds hundreds, and many systems limit a process to 16 locked
/// pages. So a whole page is allocated at once, with guard pages, excluded from core dumps, and from swap where the
/// system allows.
///
/// Slots have no guards between them, and no fault on use after release. Instead unused bytes are zero and checked: a
/// write beyond a secret's end or after its release traps.
enum SecretSlots {
    /// Bytes of a slot: an Ed25519 secret key, the largest secret that is short-lived or held by the hundred.
    static let slotCount = 64
    /// Slots in a page of 4 KiB, less the sixteen bytes that `sodium_malloc` puts before its block.
    private static let slotsPerPage = 63

    /// Free slots of all pages; pages are never returned.
    // Not `Mutex`: its futex is invisible to the thread sanitizer.
    private static let free = NIOLockedValueBox<[Slot]>([])

    /// 64 zero bytes with one owner.
    // Sendable despite the pointer: owned by the pool or by one taker.
    struct Slot: @unchecked Sendable {
        let start: UnsafeMutableRawPointer

        fileprivate func isZero(from place: Int = 0) -> Bool {
            sodium_is_zero((start + place).assumingMemoryBound(to: UInt8.self), slotCount - place) == 1
        }
    }

    static func take() -> Slot {
        let slot = free.withLockedValue { free in
            if let slot = free.popLast() { return slot }
            guard let page = sodium_malloc(slotCount * slotsPerPage) else {
                preconditionFailure("no memory for secrets")
            }
            sodium_memzero(page, slotCount * slotsPerPage)
            for place in 1..<slotsPerPage { free.append(Slot(start: page + place * slotCount)) }
            return Slot(start: page)
        }
        precondition(slot.isZero(), "a secret was written after its release")
        return slot
    }

    /// Wipes and returns a slot, of which a secret used `count` bytes.
    static func give(_ slot: Slot, of count: Int) {
        precondition(slot.isZero(from: count), "a secret was written beyond its end")
        sodium_memzero(slot.start, slotCount)
        free.withLockedValue { $0.append(slot) }
    }
}
