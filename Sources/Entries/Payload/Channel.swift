internal import Sodium

/// A channel's name, `[a-z0-9-]{1,32}`; a channel has no other attributes (`protocol/payload.md` §3).
///
/// Stored inline and padded with NUL, which no name contains.
package struct Channel: Hashable, Sendable {
    private let padded: Bytes32

    /// Nil unless the text is a name; upper case is not converted: the caller does that for typed text.
    package init?(_ name: some StringProtocol) {
        self.init(utf8: name.utf8)
    }

    /// A name from its UTF-8 bytes.
    init?(utf8 name: some Sequence<UInt8>) {
        var padded = Bytes32()
        let isName = padded.withUnsafeMutableBytes { place in
            var length = 0
            for byte in name {
                guard length < PayloadLimits.channelBytes, Self.allows(byte) else { return false }
                place[length] = byte
                length += 1
            }
            return length > 0
        }
        guard isName else { return nil }
        self.padded = padded
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension Channel: CustomStringConvertible {
    /// The name, without the `#` of the display.
    package var description: String {
        String(decoding: padded.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension Channel: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.padded < right.padded }
}
