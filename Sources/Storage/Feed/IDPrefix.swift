import Entries

/// The beginning of an id as people type it: base32 characters, at least one.
package struct IDPrefix: Hashable, Sendable {
    /// As typed.
    package let text: String
    /// The range of the first eight bytes of a matching id.
    let bounds: ClosedRange<UInt64>

    /// Nil for no characters, more than 52, or one that base32 does not have; upper case is not folded.
    package init?(_ text: some StringProtocol) {
        guard (1...52).contains(text.utf8.count) else { return nil }
        var value: UInt64 = 0
        var free = 64
        for character in text.utf8 {
            let digit: UInt64
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt64(character - UInt8(ascii: "a"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = UInt64(character - UInt8(ascii: "2")) + 26
            default: return nil
            }
            if free >= 5 {
                free -= 5
                value |= digit << UInt64(free)
            } else {
                value |= digit >> UInt64(5 - free)
                free = 0
            }
        }
        self.text = String(text)
        bounds = value...(value | (free == 64 ? .max : (1 << UInt64(free)) - 1))
    }

    func matches(_ id: some Identifier) -> Bool { id.description.hasPrefix(text) }
}
