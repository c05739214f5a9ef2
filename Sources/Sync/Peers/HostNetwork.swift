/// Whose host it is, as far as an address tells: one of IPv4 is one host's, of IPv6 anybody has 2⁶⁴ (RFC 6177).
package struct HostNetwork: Hashable, Sendable {
    /// The address itself, or the first four groups of one of IPv6, in full.
    private let name: String

    /// Takes an address as the system writes it, or any other name of a host.
    package init(_ host: String) {
        self.init(host, groups: 4)
    }

    /// What one customer of a provider has at most: of IPv6 2⁸⁰ addresses, of which home lines get parts (RFC 6177).
    static func site(of host: String) -> HostNetwork { HostNetwork(host, groups: 3) }

    private init(_ host: String, groups: Int) {
        name = Self.prefix(of: host, groups: groups) ?? host
    }

    /// Nil if it is no address of IPv6.
    private static func prefix(of host: String, groups count: Int) -> String? {
        // Behind a percent sign stands the interface.
        let address = host.prefix { $0 != "%" }
        guard address.contains(":") else { return nil }
        var head: [Substring] = []
        var tail: [Substring] = []
        if let gap = address.firstGap {
            head = groups(address[..<gap.lowerBound])
            tail = groups(address[gap.upperBound...])
        } else {
            head = groups(address)
        }
        guard !(head + tail).contains("") else { return nil }
        // The last 32 bits may be written as an address of IPv4.
        let written = head.count + tail.count + ((tail.last ?? head.last)?.contains(".") == true ? 1 : 0)
        guard written <= 8 else { return nil }
        let all = head + [Substring](repeating: "0", count: 8 - written) + tail
        let numbers = all.prefix(count).map { UInt16($0, radix: 16) }
        guard numbers.count == count, !numbers.contains(nil) else { return nil }
        return numbers.compactMap { $0.map { String($0, radix: 16) } }.joined(separator: ":")
    }

    private static func groups(_ part: Substring) -> [Substring] {
        part.isEmpty ? [] : part.split(separator: ":", omittingEmptySubsequences: false)
    }
}

extension Substring {
    /// The two colons that stand for groups of zeros.
    fileprivate var firstGap: Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix("::") { return start..<index(start, offsetBy: 2) }
            start = index(after: start)
        }
        return nil
    }
}
