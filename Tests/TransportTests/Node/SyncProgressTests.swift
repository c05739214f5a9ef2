import Entries
import Sodium
import Sync
import Testing

@testable import Transport

@Suite struct SyncProgressTests {
    private let node = NodeID(raw: Bytes32(1...32) ?? .zero)

    private func session(_ id: UInt64, equal: Bool) -> SessionStatus {
        SessionStatus(
            session: SessionID(raw: id),
            node: node,
            address: nil,
            direction: .incoming(host: nil),
            agent: "",
            isQuiet: true,
            isEqual: equal,
            wantsInFlight: 0,
            bytesReceived: 0,
            bytesSent: 0
        )
    }

    private func target(_ state: TargetStatus.State, _ origin: PeerTarget.Origin = .listed) -> TargetStatus {
        TargetStatus(
            target: PeerTarget(address: PeerAddress(host: "h", port: 1), node: nil, origin: origin),
            state: state
        )
    }

    private func progress(_ sessions: [SessionStatus], _ targets: [TargetStatus]) throws -> SyncProgress {
        let status = NodeStatus(
            node: node,
            sessions: sessions,
            targets: targets,
            fingerprint: FingerprintSum().fingerprint,
            logs: 0,
            wantedLogs: 0,
            wantedBodies: 0,
            setAside: 0,
            ownLogIsCleared: true
        )
        return SyncProgress(status, now: 1_000)
    }

    @Test func `It goes on while a listed peer may still answer`() throws {
        for state in [
            TargetStatus.State.dialling(failures: 2), .connected(SessionID(raw: 9)),
            .waiting(untilMonotonicMilliseconds: 900, failures: 3),
            .waiting(untilMonotonicMilliseconds: 2_000, failures: 0),
        ] {
            #expect(try !progress([session(1, equal: true)], [target(state)]).isOver, "\(state)")
        }
    }

    @Test func `It goes on while a peer differs`() throws {
        #expect(try !progress([session(1, equal: true), session(2, equal: false)], []).isOver)
    }

    @Test func `It ends when those that answered are equal, and counts the others`() throws {
        let end = try progress(
            [session(1, equal: true)],
            [
                target(.connected(SessionID(raw: 1))), target(.waiting(untilMonotonicMilliseconds: 2_000, failures: 1)),
                target(.dialling(failures: 0), .learned),
            ]
        )
        #expect(end.isOver)
        #expect(end.outcome == .equal(peers: 1, unreachable: 1))
    }

    @Test func `A listed peer that called here itself counts as reached`() throws {
        let called = TargetStatus(
            target: PeerTarget(address: PeerAddress(host: "h", port: 1), node: node, origin: .listed),
            state: .waiting(untilMonotonicMilliseconds: 2_000, failures: 1)
        )
        let end = try progress([session(1, equal: true)], [called])
        #expect(end.outcome == .equal(peers: 1, unreachable: 0))
    }

    @Test func `A listed peer that is left alone ends nothing and is no success`() throws {
        let end = try progress([], [target(.idle)])
        #expect(end.isOver && end.outcome == .unreachable(tried: 1))
    }

    @Test func `Without anybody it ends at once and says why`() throws {
        #expect(try progress([], []).outcome == .noPeers)
        let failed = try progress([], [target(.waiting(untilMonotonicMilliseconds: 2_000, failures: 1))])
        #expect(failed.isOver && failed.outcome == .unreachable(tried: 1))
    }
}
