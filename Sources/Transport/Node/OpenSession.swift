internal import Sync

extension Node {
    /// A connection and what is to be told about it.
    struct OpenSession {
        let connection: Connection
        /// Unix milliseconds.
        let since: UInt64
        var traffic = Traffic()
    }

    /// Bytes of the sockets, encryption and all.
    struct Traffic {
        var received: UInt64 = 0
        var sent: UInt64 = 0
    }
}

extension Direction {
    /// Where a call came from; nil for one that this node made, and for this machine: who shares it has nothing else in common.
    var network: HostNetwork? {
        switch self {
        case .incoming(let host): host.flatMap { NodeMachine.isLoopback($0) ? nil : HostNetwork($0) }
        case .outgoing: nil
        }
    }
}
