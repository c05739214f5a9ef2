internal import Sync

extension Node {
    /// A connection, with the facts that `status` shows.
    struct OpenSession {
        let connection: Connection
        /// Unix milliseconds.
        let since: UInt64
        var traffic = Traffic()
    }

    /// Socket bytes, encryption overhead included.
    struct Traffic {
        var received: UInt64 = 0
        var sent: UInt64 = 0
    }
}

extension Direction {
    /// The host of an incoming call; nil for an outgoing one, and for loopback, whose callers have nothing in common
    /// but the machine.
    var network: HostNetwork? {
        switch self {
        case .incoming(let host): host.flatMap { NodeMachine.isLoopback($0) ? nil : HostNetwork($0) }
        case .outgoing: nil
        }
    }
}
