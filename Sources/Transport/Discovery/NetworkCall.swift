internal import Entries
internal import NIOCore
internal import NIOPosix
internal import Sodium
package import Sync

/// Sends one call to the local network, and reports which nodes answer and whether the call went out.
package struct NetworkCall: Sendable {
    private let seal: BeaconSeal

    package init(of home: Home) throws(HomeError) {
        seal = BeaconSeal(network: home.network, secret: try home.secret()?.presharedKey(in: home.network))
    }

    /// Result of the call on one interface.
    package enum Way: Hashable, Sendable {
        /// The machine received its own call: nothing in this machine blocks it.
        case open
        /// Sent, and not received by this machine itself: a firewall here drops it.
        case dropped
        /// Not sent.
        case failed(reason: String)
    }

    package struct Outcome: Hashable, Sendable {
        /// By interface name, IPv4 and IPv6 apart.
        package let ways: [String: Way]
        /// Addresses of the nodes that answered, this home's own excepted.
        package let nodes: Set<PeerAddress>

        package init(ways: [String: Way], nodes: Set<PeerAddress>) {
            self.ways = ways
            self.nodes = nodes
        }
    }

    /// Calls and collects answers for `TransportLimits.callAnswersMilliseconds`; `ownPort` is the port of this home's
    /// own node, nil if it does not listen. To be called after `ProbeLoop.check`.
    package func ask(ownPort: UInt16?) async -> Outcome {
        let (datagrams, heard) = AsyncStream.makeStream(of: BeaconSocket.Datagram.self)
        let networks = LocalNetwork.all().sorted { ($0.device, $0.address) < ($1.device, $1.address) }
        var ways: [String: Way] = [:]
        var sockets: [BeaconSocket] = []
        var names: [[UInt8]: String] = [:]
        for network in networks {
            let name = network.family == .ipv4 ? network.device : "\(network.device) (IPv6)"
            let call = Beacon(.call, port: nil)
            do {
                let socket = try await BeaconSocket(network, group: ProbeLoop.group) { heard.yield($0) }
                sockets.append(socket)
                names[call.salt] = name
                ways[name] = .dropped
                try await socket.send(seal.datagram(call))
            } catch {
                ways[name] = .failed(reason: Self.reason(error))
            }
        }
        let patience = sockets.isEmpty ? .zero : Duration.milliseconds(TransportLimits.callAnswersMilliseconds)
        let end = Task {
            try? await Task.sleep(for: patience)
            heard.finish()
        }
        let own = Set(networks.map(\.address))
        var nodes: Set<PeerAddress> = []
        for await datagram in datagrams {
            guard let beacon = seal.beacon(in: datagram.bytes) else { continue }
            if let name = names[beacon.salt] { ways[name] = .open }
            guard let port = beacon.port, !(port == ownPort && own.contains(datagram.host)) else { continue }
            nodes.insert(PeerAddress(host: datagram.host, port: port))
        }
        end.cancel()
        for socket in sockets { socket.close() }
        return Outcome(ways: ways, nodes: nodes)
    }

    /// Why a network could not be joined or sent to, without the call that failed.
    static func reason(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return SystemError(call: "sendto", path: "", code: error.errnoCode).description
    }
}
