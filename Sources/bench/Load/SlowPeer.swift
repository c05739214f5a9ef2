import Entries
import Foundation
import Sodium
import Storage
import Sync

/// A peer that shakes hands, asks for all that is offered, allows more than anybody has, and then reads nothing.
final class SlowPeer {
    private let descriptor: Int32
    private let session = SessionID(raw: 1)
    private var machine: NodeMachine

    /// Calls from an address of its own, so that it counts as another host, and reads until everything that the first list
    /// names was asked for.
    init(asking address: String, number: Int) throws {
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError("no port in \(address)")
        }
        machine = NodeMachine(
            configuration: NodeConfiguration(
                network: NetworkID(name: TemporaryHome.network),
                key: .random(),
                agent: "slow",
                listenPort: nil,
                exchange: .off,
                credit: 1 << 40
            ),
            state: StoreState(
                store: .random(),
                number: 0,
                frontier: [],
                pending: [],
                ranges: [],
                cursors: [],
                wants: [],
                wantedBodies: [],
                setAside: [],
                own: nil
            ),
            peers: [],
            seed: UInt64(number)
        )
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // As little as the kernel grants: what it takes in, the node need not keep.
        var bytes: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        try call(bind, port: 0, host: 0x7F00_0002 + UInt32(number))
        try call(connect, port: port, host: 0x7F00_0001)
        try ask()
    }

    deinit {
        close(descriptor)
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        port: UInt16,
        host: UInt32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BenchError("a slow peer cannot connect: \(errno)") }
    }

    private func ask() throws {
        try give(.started)
        try give(.opened(session, .outgoing(DialID(raw: .max)), ephemeral: .random()))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while machine.status.sessions.first?.wantsInFlight ?? 0 == 0 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw BenchError("the node dropped a slow peer before it was slow") }
            try give(.received(session, Array(buffer.prefix(count))))
        }
    }

    private func give(_ event: NodeEvent) throws {
        let now = UInt64(Stopwatch.now() * 1_000)
        for effect in machine.received(event, at: Moment(monotonicMilliseconds: now, wallMilliseconds: now)) {
            switch effect {
            case .send(_, let bytes):
                guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                    throw BenchError("a slow peer could not write")
                }
            case .close: throw BenchError("a slow peer closed")
            case .dial, .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix, .judge,
                .readBodies, .wake, .report, .learnPeers, .pin:
                break
            }
        }
    }
}
