internal import Sodium

/// The end of a temporary file's name: a random number, so that two writers never take the same name, and the leftovers
/// of killed ones can be told from a person's files.
enum TemporaryName {
    /// Hex digits of the number.
    static let digits = 12

    /// A number that no other file has.
    static func number() -> String {
        Randomness.bytes(digits / 2).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether these are the digits of such a number.
    static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == digits
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
