#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The addresses by which others may reach this machine (`getifaddrs`), the likeliest first.
package enum LocalAddresses {
    /// The reach of an address, the most useful for another person first.
    package enum Reach: Int, Comparable, Sendable {
        case everywhere
        case campus
        case everywhereByIPv6
        case campusByIPv6
        /// A bridge to virtual machines or containers.
        case bridge

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// All addresses but loopback and link-local ones, which mean nothing on another machine.
    package static func all() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [(text: String, reach: Reach)] = []
        var next = list
        while let item = next?.pointee {
            next = item.ifa_next
            guard item.ifa_flags & UInt32(IFF_UP.magnitude) != 0, let address = item.ifa_addr,
                let text = text(address), let name = item.ifa_name,
                let reach = reach(of: text, on: String(cString: name))
            else { continue }
            found.append((text, reach))
        }
        return found.enumerated().sorted { ($0.element.reach, $0.offset) < ($1.element.reach, $1.offset) }
            .map(\.element.text)
    }

    /// Nil for an address that others cannot use.
    package static func reach(of text: String, on interface: String) -> Reach? {
        if text.contains(":") {
            let first = text.split(separator: ":").first.flatMap { UInt16($0, radix: 16) } ?? 0
            if text.hasPrefix("::") || first & 0xFFC0 == 0xFE80 { return nil }
            return first & 0xFE00 == 0xFC00 ? .campusByIPv6 : .everywhereByIPv6
        }
        let parts = text.split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 4, parts[0] != 127, parts[0] != 0, (parts[0], parts[1]) != (169, 254) else { return nil }
        if ["docker", "br-", "virbr", "veth", "podman", "cni"].contains(where: interface.hasPrefix) { return .bridge }
        let isPrivate =
            parts[0] == 10 || (parts[0] == 172 && (16...31).contains(parts[1])) || (parts[0], parts[1]) == (192, 168)
            || (parts[0] == 100 && (64...127).contains(parts[1]))
        return isPrivate ? .campus : .everywhere
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size: Int
        switch CInt(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        guard
            getnameinfo(address, socklen_t(size), &buffer, socklen_t(buffer.count), nil, 0, CInt(NI_NUMERICHOST)) == 0
        else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.contains("%") ? nil : text
    }
}
