/// How a host is written. The system takes an IPv4 address in many forms (`127.1`, `0x7f.0.0.1`, `2130706433`:
/// inet_aton(3)), so that one host could stand in a list under as many names.
enum HostSpelling {
    /// Whether a host is a name, or an address in its usual form. Of a name the last label is no number (RFC 1123,
    /// section 2.1; the URL Standard, "ends in a number").
    static func isUsual(_ host: String) -> Bool {
        guard !host.contains(":") else { return true }
        let labels = folded(host).split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, isNumber(last) else { return true }
        return isIPv4(host)
    }

    /// Four decimal numbers from 0 to 255, without leading zeros.
    static func isIPv4(_ host: some StringProtocol) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4
            && numbers.allSatisfy { text in
                text.utf8.allSatisfy(isDigit) && UInt8(text) != nil && (text.utf8.count == 1 || !text.hasPrefix("0"))
            }
    }

    /// A name as every look-up sees it: cases are the same (RFC 4343), and so is a dot at the end.
    static func folded(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// Decimal and octal digits, or hexadecimal ones behind 0x.
    private static func isNumber(_ label: Substring) -> Bool {
        guard !label.hasPrefix("0x") else { return label.dropFirst(2).allSatisfy(\.isHexDigit) }
        return !label.isEmpty && label.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
