internal import NIOCore
internal import NIOPosix

/// Where this machine can speak to its neighbours: one place for each network device and family of addresses.
struct LocalNetwork: Hashable, Sendable {
    enum Family: Hashable, Sendable {
        case ipv4
        case ipv6
    }

    let device: String
    /// The system's number of the device: one that comes back under its name is another, and has left every group.
    let deviceIndex: Int
    let family: Family
    /// The address that others see, as text.
    let address: String

    /// UDP, as TCP: a firewall that lets one in lets the other in by the same number.
    static let port = 7776
    /// Administratively scoped (RFC 2365): no router carries it further unless told to.
    private static let group4 = "239.255.77.76"
    /// Transient, of site scope (RFC 4291 §2.7), so that the sender's address is not link-local (RFC 6724 §5, rule 2).
    private static let group6 = "ff15::7776"

    /// Every place there is now; without loopback, and without link-local addresses, which mean nothing on another machine.
    static func all() -> Set<LocalNetwork> {
        let devices = (try? System.enumerateDevices()) ?? []
        var found: [String: LocalNetwork] = [:]
        for device in devices where device.multicastSupported {
            guard let address = device.address, let text = Connection.host(address),
                let reach = LocalAddresses.reach(of: text, on: device.name), reach != .bridge
            else { continue }
            let family: Family = address.protocol == .inet6 ? .ipv6 : .ipv4
            let place = LocalNetwork(
                device: device.name,
                deviceIndex: device.interfaceIndex,
                family: family,
                address: text
            )
            // Of several addresses one will do: the smallest, so that it stays the same.
            let key = "\(device.name) \(family)"
            if let other = found[key], other.address < text { continue }
            found[key] = place
        }
        return Set(found.values)
    }

    /// What NIO knows of the device; nil if it is gone.
    var networkDevice: NIONetworkDevice? {
        (try? System.enumerateDevices())?.first {
            $0.interfaceIndex == deviceIndex && $0.address.flatMap(Connection.host) == address
        }
    }

    /// The group to join and to speak to, on this device.
    func group(_ device: NIONetworkDevice) throws -> SocketAddress {
        switch family {
        case .ipv4: return try SocketAddress(ipAddress: Self.group4, port: Self.port)
        // The number of the device: its name is only taken with groups of link scope.
        case .ipv6:
            let host = "\(Self.group6)%\(device.interfaceIndex)"
            return try SocketAddress.makeAddressResolvingHost(host, port: Self.port)
        }
    }
}
