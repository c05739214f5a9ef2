internal import Sodium

/// The name of a channel, `[a-z0-9-]{1,32}`; a channel is nothing but its name (`protocol/payload.md` §3).
///
/// Held inline and padded with NUL, which no name contains.
package struct Channel: Hashable, Sendable {
    private let padded: Bytes32

    /// Takes a name as it stands; nil if it is not one. Upper case is not folded: that is for whoever typed it.
    package init?(_ name: some StringProtocol) {
        let bytes = Array(name.utf8)
        guard (1...PayloadLimits.channelBytes).contains(bytes.count), bytes.allSatisfy(Self.allows) else { return nil }
        let padding = [UInt8](repeating: 0, count: Bytes32.count - bytes.count)
        guard let padded = Bytes32(bytes + padding) else { return nil }
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
    /// The name, without the `#` that people are shown.
    package var description: String {
        String(decoding: padded.bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

extension Channel: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.padded < right.padded }
}
