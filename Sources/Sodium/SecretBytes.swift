internal import CSodium

/// Secret bytes in guarded memory: kept out of swap where the system allows, wiped when released.
///
/// What is as small as a key has a slot of a page that many share (`SecretSlots`), what is larger has `sodium_malloc`. A
/// class, because a copy of a secret is one more place to wipe.
// Sendable although it holds a pointer: the bytes are written in `init` alone and only read afterwards.
package final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let slot: SecretSlots.Slot?

    package var count: Int { memory.count }

    /// Fills `count` bytes in place.
    package init<Failure: Error>(
        count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        Library.start()
        if count <= SecretSlots.slotCount {
            let slot = SecretSlots.take()
            self.slot = slot
            memory = UnsafeMutableRawBufferPointer(start: slot.start, count: count)
        } else {
            guard let start = sodium_malloc(count) else { preconditionFailure("no memory for a secret") }
            slot = nil
            memory = UnsafeMutableRawBufferPointer(start: start, count: count)
        }
        // Everything is set by now, so that `deinit` frees the memory if this throws.
        try fill(memory)
    }

    deinit {
        if let slot { SecretSlots.give(slot, of: count) } else { sodium_free(memory.baseAddress) }
    }

    /// Random bytes from the system.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { randombytes_buf($0.start, $0.count) }
    }

    /// Moves the bytes in and wipes where they came from.
    package convenience init(moving bytes: inout [UInt8]) {
        self.init(count: bytes.count) { target in
            bytes.withUnsafeBytes { target.copyMemory(from: $0) }
        }
        bytes.wipe()
    }

    /// Puts secrets behind each other.
    package convenience init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var end = 0
            for part in parts {
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[end...]).copyMemory(from: $0) }
                end += part.count
            }
        }
    }

    /// A part of it, as a secret of its own; the range must lie within.
    package func part(_ range: Range<Int>) -> SecretBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part of a secret lies within it")
        return SecretBytes(count: range.count) { target in
            withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // What is released early is another secret's, or zero: nothing would tell.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(memory)) }
    }

    /// Compares without leaking through time where two secrets differ (`sodium_memcmp`).
    package func isEqual(to other: SecretBytes) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { own.count == $0.count && sodium_memcmp(own.start, $0.start, own.count) == 0 }
        }
    }
}

extension [UInt8] {
    /// Overwrites the bytes in a way that the compiler cannot remove (`sodium_memzero`), then empties the array.
    package mutating func wipe() {
        withUnsafeMutableBytes { sodium_memzero($0.start, $0.count) }
        removeAll()
    }

    /// Compares without leaking through time where the two differ (`sodium_memcmp`); the lengths are no secret.
    package func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        count == other.count && sodium_memcmp(self, other, count) == 0
    }
}

/// Random bytes that are no secret: salts, store ids, jitter.
package enum Randomness {
    package static func bytes(_ count: Int) -> [UInt8] {
        Library.start()
        return [UInt8](unsafeUninitializedCapacity: count) { out, filled in
            randombytes_buf(out.start, count)
            filled = count
        }
    }

    package static func bytes32() -> Bytes32 {
        Library.start()
        var value = Bytes32()
        value.withUnsafeMutableBytes { randombytes_buf($0.start, $0.count) }
        return value
    }
}
