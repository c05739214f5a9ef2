internal import Entries
internal import Sodium

/// Hashes that a fuzzer would never find.
enum Hashing {
    static func invite(_ bytes: [UInt8]) -> [UInt8] { Blake2b.hash(.invite, bytes).bytes }

    /// The tag of a beacon.
    static func beacon(_ key: [UInt8], _ words: [UInt8]) -> [UInt8] {
        Array(Blake2b.hash(.beacon, key + words).bytes.prefix(16))
    }

    /// The line that ends a witness.
    static func witness(_ body: String) -> String {
        "sum \(Base32.encode(Array(SHA256.hash(Array(body.utf8)).bytes.prefix(10))))"
    }
}
