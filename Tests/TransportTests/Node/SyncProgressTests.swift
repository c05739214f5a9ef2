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

    private func target(
        _ state: TargetStatus.State,
        _ origin: PeerTarget.Origin = .listed,
        isTried: Bool = false,
        isQueued: Bool = false
    ) -> TargetStatus {
        TargetStatus(
            target: PeerTarget(address: PeerAddress(host: "h", port: 1), node: nil, origin: origin),
            state: state,
            isTried: isTried,
            isQueued: isQueued
        )
    }

    @Test func `Who failed in this round is not waited for while it is called again`() throws {
        for state in [
            TargetStatus.State.dialling(failures: 1), .waiting(untilMonotonicMilliseconds: 900, failures: 1),
        ] {
            let end = try progress([session(1, equal: true)], [target(state, isTried: true, isQueued: true)])
            #expect(end.isOver && end.outcome == .equal(peers: 1, unreachable: 1), "\(state)")
        }
    }

    @Test func `Who waits for its first call is waited for`() throws {
        let progress = try progress([session(1, equal: true)], [target(.idle, isQueued: true)])
        #expect(!progress.isOver && progress.pending == 1)
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
        return SyncProgress(status)
    }

    @Test func `It goes on while a listed peer may still answer`() throws {
        for state in [
            TargetStatus.State.dialling(failures: 2), .connected(SessionID(raw: 9)),
            .waiting(untilMonotonicMilliseconds: 900, failures: 3),
            .waiting(untilMonotonicMilliseconds: 2_000, failures: 0),
            // Not called in this round, since the system was busy with other names.
            .waiting(untilMonotonicMilliseconds: 2_000, failures: 3),
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
                target(.connected(SessionID(raw: 1))), target(.dialling(failures: 0), .learned),
                target(.waiting(untilMonotonicMilliseconds: 2_000, failures: 1), isTried: true),
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
        let waiting = TargetStatus.State.waiting(untilMonotonicMilliseconds: 2_000, failures: 1)
        let failed = try progress([], [target(waiting, isTried: true)])
        #expect(failed.isOver && failed.outcome == .unreachable(tried: 1))
    }
}
