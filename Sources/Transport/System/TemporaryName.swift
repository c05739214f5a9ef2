internal import Sodium

/// The end of a temporary file's name: a random number, so that two writers never take the same name, and the leftovers
/// of killed ones can be told from a person's files.
enum TemporaryName {
    /// Hex digits of the number. One of them is a letter at least: a person's own names end with dates and counts.
    static let digits = 16

    /// A number that no other file has.
    static func number() -> String {
        while true {
            let bytes = Randomness.bytes(digits / 2)
            let number = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            if isNumber(number.utf8) { return number }
        }
    }

    /// Whether a name ends with a mark and such a number after it.
    static func ends(_ name: String, with mark: String) -> Bool {
        let beginning = name.utf8.dropLast(digits)
        return isNumber(name.utf8.suffix(digits)) && beginning.suffix(mark.utf8.count).elementsEqual(mark.utf8)
    }

    /// Whether these are the digits of such a number.
    static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
        return bytes.count == digits && bytes.contains { letters.contains($0) }
            && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || letters.contains($0) }
    }
}
