import Entries
import Sodium
import Synchronization
import Testing

@testable import Sync
@testable import Transport

/// Peers on real sockets that ask for everything and read nothing, or next to nothing.
struct SlowReaderTests {
    @Test func `Who asks for everything and hardly reads holds a few megabytes, and nobody up`() async throws {
        let directory = TemporaryDirectory()
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: 400, bytes: 50_000)
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                let early = try await first.post("early")
                try await second.holds([early])
                let port = try #require(first.listening?.port)
                let network = first.home.network
                let slow = try await blocking {
                    let slow = try SlowPeer(port: port, network: network)
                    try slow.ask()
                    return slow
                }
                await first.hasPeers(2)
                var (peak, number) = (0, 0)
                // How much of it the system's own buffers take, and how soon, is the system's matter.
                while number < 20 || (peak <= Limits.readBytes && number < 500) {
                    number += 1
                    let live = try await first.post("live \(number)")
                    try await second.holds([live])
                    try await blocking { slow.readOneByte() }
                    let most = await first.mostWaiting
                    #expect(most <= Limits.queueSoftBytes + Limits.readBytes + 200_000, "\(most) bytes")
                    peak = max(peak, most)
                }
                #expect(peak > Limits.readBytes, "it reads so little that something waits: \(peak)")
                slow.hangUp()
                await first.hasPeers(1)
            }
        }
    }
}

extension Node {
    /// Bytes that wait for the slowest peer.
    fileprivate var mostWaiting: Int { machine.sessions.values.map(\.waitingBytes).max() ?? 0 }
}

/// A node's machine on a socket that stops reading once it has asked for something.
private final class SlowPeer: Sendable {
    private let socket: RawSocket
    private let session = SessionID(raw: 1)
    private let machine: Mutex<NodeMachine>

    init(port: UInt16, network: NetworkID) throws {
        socket = try RawSocket(port: port, receiveBytes: 4_096)
        let machine = NodeMachine(
            configuration: NodeConfiguration(
                network: network,
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
            seed: 1
        )
        self.machine = Mutex(machine)
    }

    func ask() throws {
        give(.started)
        give(.opened(session, .outgoing(DialID(raw: .max)), ephemeral: .random()))
        while machine.withLock({ $0.status.sessions.first?.wantsInFlight ?? 0 }) == 0 {
            let bytes = try #require(socket.read(atMost: 4_096))
            give(.received(session, bytes))
        }
    }

    func readOneByte() {
        _ = socket.read(atMost: 1)
    }

    func hangUp() {
        socket.hangUp()
    }

    private func give(_ event: NodeEvent) {
        let moment = Moment(
            monotonicMilliseconds: SystemClock.monotonicMilliseconds,
            wallMilliseconds: SystemClock.wallMilliseconds
        )
        for effect in machine.withLock({ $0.received(event, at: moment) }) {
            if case .send(_, let bytes) = effect { socket.send(bytes) }
        }
    }
}
