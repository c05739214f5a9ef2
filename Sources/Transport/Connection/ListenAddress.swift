internal import Sync

/// A host and port to listen on; with port 0 the system picks one.
package struct ListenAddress: Hashable, Sendable {
    /// A name or an address without brackets; nil means every address of the machine, IPv6 and IPv4.
    package let host: String?
    package let port: UInt16

    package init(host: String?, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `HOST:PORT`, `[IPv6]:PORT`, `:PORT`, `HOST` or `*:PORT`; unlike a peer's, the port may be 0.
    package init(parsing text: String) throws(PeerLineError) {
        // Before a port is looked for: the end of such an address may pass for one.
        guard text.hasPrefix("[") || text.count(where: { $0 == ":" }) < 2 else { throw .bracketsMissing }
        var rest = text[...]
        var anyPort = false
        if rest.hasSuffix(":0") {
            rest = rest.dropLast(2)
            anyPort = true
            if rest.isEmpty || rest == "*" {
                self.init(host: nil, port: 0)
                return
            }
        } else if let colon = rest.firstIndex(of: ":"), rest[..<colon].isEmpty || rest[..<colon] == "*" {
            // The host does not matter: only the port is parsed.
            self.init(host: nil, port: try PeerLine.address("any" + rest[colon...]).port)
            return
        }
        let address = try PeerLine.address(rest)
        self.init(host: address.host, port: anyPort ? 0 : address.port)
    }

    /// What is wrong with a text that was refused: of the port other words than for a peer's, which is never 0.
    package static func reason(_ error: PeerLineError) -> String {
        error == .badPort ? "a port is a number from 0 to 65535" : error.description
    }
}

/// The address that a listener is bound to.
package struct BoundAddress: Hashable, Sendable {
    package let host: String
    package let port: UInt16

    /// `host:port`, an IPv6 address in brackets.
    package var text: String { PeerAddress(host: host, port: port).text }
}

/// Why a node cannot listen.
package enum ListenError: Error, Hashable, Sendable {
    /// Another program listens there.
    case portBusy(ListenAddress)
    /// The address is not this machine's, or its name does not resolve.
    case addressNotHere(ListenAddress)
    /// Ports below 1024 belong to the system.
    case notPermitted(ListenAddress)
    case other(ListenAddress, reason: String)
}
