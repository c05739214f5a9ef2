import Entries
import Foundation
import Sodium
import Storage
import Sync

/// A peer that completes the handshake, requests everything that is announced, grants unlimited credit, and reads no
/// answer.
final class SlowPeer {
    private let socket: LoopbackSocket
    private let session = SessionID(raw: 1)
    private var machine: NodeMachine

    /// Connects from its own address, so that it counts as another host, and reads until it has requested everything in
    /// the first list.
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
                own: nil,
                standings: [],
                gaps: []
            ),
            peers: [],
            seed: UInt64(number)
        )
        // The smallest receive buffer that the kernel grants: what it takes in, the node need not keep.
        socket = try LoopbackSocket(calling: port, from: number, .patient, receiveBytes: 4_096)
        try ask()
    }

    private func ask() throws {
        try give(.started)
        try give(.opened(session, .outgoing(DialID(raw: .max)), ephemeral: .random()))
        while machine.status.sessions.first?.wantsInFlight ?? 0 == 0 {
            guard case .bytes(let bytes) = socket.read() else {
                throw BenchError("the node dropped a slow peer before it was slow")
            }
            try give(.received(session, bytes))
        }
    }

    private func give(_ event: NodeEvent) throws {
        let now = UInt64(Stopwatch.now() * 1_000)
        for effect in machine.received(event, at: Moment(monotonicMilliseconds: now, wallMilliseconds: now)) {
            switch effect {
            case .send(_, let bytes):
                guard socket.write(bytes) else { throw BenchError("a slow peer could not write") }
            case .close: throw BenchError("a slow peer closed")
            case .dial, .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix,
                .checkWords, .readBodies, .wake, .report, .learnPeers, .pin:
                break
            }
        }
    }
}
