internal import CSodium

/// Secret bytes in guarded memory: not swapped where the system allows, and wiped on release.
///
/// Up to 64 bytes take a slot of a shared page (`SecretSlots`), more take `sodium_malloc`. A class, since each copy of
/// a secret is one more place to wipe.
// Sendable despite the pointer: the bytes are written only in `init`.
package final class SecretBytes: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let slot: SecretSlots.Slot?

    package var count: Int { memory.count }

    /// Allocates `count` bytes and has `fill` write them in place.
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
        // All properties are set, so `deinit` frees the memory if this throws.
        try fill(memory)
    }

    deinit {
        if let slot { SecretSlots.give(slot, of: count) } else { sodium_free(memory.baseAddress) }
    }

    /// Random bytes from the system.
    package static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { randombytes_buf($0.start, $0.count) }
    }

    /// Copies the bytes and wipes the source.
    package convenience init(moving bytes: inout [UInt8]) {
        self.init(count: bytes.count) { target in
            bytes.withUnsafeBytes { target.copyMemory(from: $0) }
        }
        bytes.wipe()
    }

    /// Concatenates secrets.
    package convenience init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var end = 0
            for part in parts {
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[end...]).copyMemory(from: $0) }
                end += part.count
            }
        }
    }

    /// Copies a range to a secret of its own; the range must lie within.
    package func part(_ range: Range<Int>) -> SecretBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "a part of a secret lies within it")
        return SecretBytes(count: range.count) { target in
            withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // Without it the memory could be released during `body`, and hold another secret or zeros unnoticed.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(memory)) }
    }

    /// Compares in constant time (`sodium_memcmp`).
    package func isEqual(to other: SecretBytes) -> Bool {
        withUnsafeBytes { own in
            other.withUnsafeBytes { own.count == $0.count && sodium_memcmp(own.start, $0.start, own.count) == 0 }
        }
    }
}

extension [UInt8] {
    /// Overwrites the bytes with `sodium_memzero`, which the compiler cannot remove, then empties the array.
    package mutating func wipe() {
        withUnsafeMutableBytes { sodium_memzero($0.start, $0.count) }
        removeAll()
    }

    /// Compares in constant time (`sodium_memcmp`); the lengths are not secret.
    package func isEqualInConstantTime(to other: [UInt8]) -> Bool {
        count == other.count && sodium_memcmp(self, other, count) == 0
    }
}

/// Random bytes that are not secret: salts, store ids, jitter.
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
