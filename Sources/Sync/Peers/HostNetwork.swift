/// The network that one host may have, as far as its address tells: an IPv4 address, or a /64 of IPv6, since anybody
/// may have 2⁶⁴ addresses (RFC 6177).
package struct HostNetwork: Hashable, Sendable {
    /// The address itself, or the first four groups of an IPv6 address in full; three for a site.
    private let name: String

    /// Takes an address as the system writes it, or another name of a host.
    package init(_ host: String) {
        self.init(host, groups: 4)
    }

    /// The network that one customer of a provider may have: a /48 of IPv6, 2⁸⁰ addresses; lines at home get parts of
    /// that (RFC 6177).
    package static func site(of host: String) -> HostNetwork { HostNetwork(host, groups: 3) }

    private init(_ host: String, groups: Int) {
        name = Self.mapped(host) ?? Self.prefix(of: host, groups: groups) ?? HostSpelling.folded(host)
    }

    /// The IPv4 address in an IPv4-mapped one (RFC 4291, section 2.5.5.2), as the system writes it; nil if it is none.
    private static func mapped(_ host: String) -> String? {
        let address = host.lowercased()
        guard address.hasPrefix("::ffff:") else { return nil }
        let inner = address.dropFirst(7)
        return HostSpelling.isIPv4(inner) ? String(inner) : nil
    }

    /// The first groups of an IPv6 address; nil if it is none.
    private static func prefix(of host: String, groups count: Int) -> String? {
        // The interface follows a percent sign.
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
        // The last 32 bits may be written as an IPv4 address.
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
    /// The two colons that replace groups of zeros.
    fileprivate var firstGap: Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix("::") { return start..<index(start, offsetBy: 2) }
            start = index(after: start)
        }
        return nil
    }
}
