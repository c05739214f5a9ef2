internal import CSodium
internal import NIOConcurrencyHelpers

/// Guarded memory for secrets as small as keys, many to a page.
///
/// `sodium_malloc` gives each secret four pages and half a dozen system calls, and locks one page for it: a handshake makes
/// dozens of secrets for a moment each, a node holds hundreds, and many systems let a process lock no more than 16 pages.
/// Here `sodium_malloc` is asked for a page at once, with its guards around it, in no dump, and not in swap where the system
/// allows.
///
/// What a slot loses is the guard between two secrets, and the fault when one is used that was released. So all that is not
/// a secret's is zero, and looked at: a write beyond a secret's end or after its release stops the program.
enum SecretSlots {
    /// An Ed25519 secret key is the largest that is short-lived or held by the hundred.
    static let slotCount = 64
    /// A page of 4 KiB, but for the sixteen bytes that `sodium_malloc` writes before what it gives.
    private static let slotsPerPage = 63

    /// All that are free, of every page; a page that was taken stays.
    // Not `Mutex`, whose hand-over from one thread to the next the thread sanitizer cannot see.
    private static let free = NIOLockedValueBox<[Slot]>([])

    /// 64 bytes that are zero, and that nobody else holds.
    // Sendable although it is a pointer: it is held by the pool or by the one who took it.
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

    /// Wipes it; `count` bytes of it were a secret's.
    static func give(_ slot: Slot, of count: Int) {
        precondition(slot.isZero(from: count), "a secret was written beyond its end")
        sodium_memzero(slot.start, slotCount)
        free.withLockedValue { $0.append(slot) }
    }
}
