internal import Entries
internal import Sodium

/// Hashes that a fuzzer would never find.
enum Hashing {
    static func invite(_ bytes: [UInt8]) -> [UInt8] { Blake2b.hash(.invite, bytes).bytes }
}
