internal import CSodium
internal import Synchronization

/// Guarded memory for secrets as small as keys, many to a page.
///
/// `sodium_malloc` gives each secret four pages and half a dozen system calls, and locks one page for it: a handshake holds
/// dozens of secrets for a moment, and most systems let a process lock no more than some hundred pages to some thousand.
/// Here `sodium_malloc` is asked for a page at once, with its guards around it and kept out of swap and dumps as a whole.
/// What a slot of one's own loses is the guard between two secrets; nothing writes but through buffers that know their ends.
enum SecretSlots {
    /// An Ed25519 secret key is the largest that is short-lived or held by the hundred.
    static let slotCount = 64
    /// A page of 4 KiB, but for the mark with which `sodium_malloc` sees that something wrote before the first.
    private static let slotsPerPage = 63

    /// All that are free, of every page; a page that was taken stays.
    private static let free = Mutex<[Slot]>([])

    /// 64 bytes that are zero, and that nobody else holds.
    // Sendable although it is a pointer: it is held by the pool or by the one who took it.
    struct Slot: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    static func take() -> Slot {
        free.withLock { free in
            if let slot = free.popLast() { return slot }
            guard let page = sodium_malloc(slotCount * slotsPerPage) else {
                preconditionFailure("no memory for secrets")
            }
            sodium_memzero(page, slotCount * slotsPerPage)
            for place in 1..<slotsPerPage { free.append(Slot(start: page + place * slotCount)) }
            return Slot(start: page)
        }
    }

    /// Wipes it.
    static func give(_ slot: Slot) {
        sodium_memzero(slot.start, slotCount)
        free.withLock { $0.append(slot) }
    }
}
