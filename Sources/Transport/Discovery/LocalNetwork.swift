internal import NIOCore
internal import NIOPosix

/// One network interface and address family on which beacons are sent.
struct LocalNetwork: Hashable, Sendable {
    enum Family: Hashable, Sendable {
        case ipv4
        case ipv6
    }

    let device: String
    /// The system's interface index: an interface that comes back under its name has a new one, and has left its
    /// multicast groups.
    let deviceIndex: Int
    let family: Family
    /// The interface's address, as text.
    let address: String

    /// UDP port: TCP's number, so that a firewall has one number to let in.
    static let port = 7776
    /// Administratively scoped (RFC 2365): routers do not forward it unless told to.
    private static let group4 = "239.255.77.76"
    /// Transient, site-local scope (RFC 4291 §2.7), so that the sender's address is not link-local (RFC 6724 §5, rule
    /// 2).
    private static let group6 = "ff15::7776"

    /// All networks there are now, without loopback, and without link-local addresses, which mean nothing on another
    /// machine.
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
            // One of several addresses will do: the smallest, which is stable.
            let key = "\(device.name) \(family)"
            if let other = found[key], other.address < text { continue }
            found[key] = place
        }
        return Set(found.values)
    }

    /// NIO's device; nil if it is gone.
    var networkDevice: NIONetworkDevice? {
        (try? System.enumerateDevices())?.first {
            $0.interfaceIndex == deviceIndex && $0.address.flatMap(Connection.host) == address
        }
    }

    /// The multicast group's address on this interface.
    func group(_ device: NIONetworkDevice) throws -> SocketAddress {
        switch family {
        case .ipv4: return try SocketAddress(ipAddress: Self.group4, port: Self.port)
        // By index: a name is accepted only with groups of link-local scope.
        case .ipv6:
            let host = "\(Self.group6)%\(device.interfaceIndex)"
            return try SocketAddress.makeAddressResolvingHost(host, port: Self.port)
        }
    }
}
