import Entries
import Foundation
import Testing

@testable import Transport

/// Forks and settlements between a real node and the second client (`protocol/sync.md` §9), on either side of each.
///
/// One test after the other: each has nodes and clients of its own, and a handshake has ten seconds.
@Suite(.serialized, .enabled(if: PythonClient.isExpected)) struct InteroperabilityForkTests {
    private static let network = "forks"
    /// The words of `protocol/identity.md` §2, and the bytes that they stand for.
    private static let words = "abandon amount liar amount expire adjust cage candy arch gather drum buyer"
    private static let entropy = "000102030405060708090a0b0c0d0e0f"

    private let directory = TemporaryDirectory()

    private func peer(_ nodes: Node...) throws -> [String] {
        try ["--network", Self.network, "--seconds", "60"]
            + nodes.flatMap { ["--peer", "\($0.id.description)@\(try $0.address)"] }
    }

    /// One person's log, so many posts of it, on a branch of its own from `from` on.
    private func branch(_ posts: Int, _ name: String = "", from: Int = 0) -> [String] {
        ["--people", "0:1", "--each", "\(posts)", "--branch", name, "--branch-from", "\(from)"]
    }

    @Test(arguments: [(30, 20, 11), (20, 30, 11), (700, 640, 600)])
    func `A branch that the client brings is located, and both hold the evidence`(
        first: Int,
        second: Int,
        seq: Int
    ) async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home(network: Self.network)) { node in
            _ = try await client.run(peer(node) + ["reconcile"] + branch(first))
            let told = try await client.run(peer(node) + ["reconcile"] + branch(second, "other", from: seq))
            let report = await node.report()
            #expect(told.logs?.first?.cut == UInt64(seq) && told.logs?.first?.size == UInt64(seq))
            #expect(report.logs == 1 && report.entries == seq && told.fingerprint == report.fingerprint)
            // The histories are compared once.
            #expect(told.served["prefixes", default: 0] <= 1)

            // Who knows nothing is told, and gets what counts.
            let newcomer = try await client.run(peer(node) + ["catch-up"])
            #expect(newcomer.logs?.first?.cut == UInt64(seq) && newcomer.fingerprint == report.fingerprint)
            #expect(newcomer.posts?.count == seq)
        }
    }

    @Test func `Evidence that the client has is taken, and told on`() async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home(network: Self.network)) { node in
            let told = try await client.run(peer(node) + ["reconcile", "--evidence"] + branch(9, "one", from: 4))
            let report = await node.report()
            #expect(report.logs == 1 && report.entries == 4 && told.fingerprint == report.fingerprint)
            let newcomer = try await client.run(peer(node) + ["catch-up"])
            #expect(newcomer.logs == [.init(size: 4, stored: 4, cut: 4, settled: nil, complete: false)])
        }
    }

    @Test func `The client finds a fork between two nodes, and both hear of it`() async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home("one", network: Self.network)) { one in
            try await withNode(directory.home("two", network: Self.network)) { two in
                _ = try await client.run(peer(one) + ["reconcile"] + branch(300))
                _ = try await client.run(peer(two) + ["reconcile"] + branch(270, "other", from: 260))
                let told = try await client.run(peer(one, two) + ["catch-up"])
                #expect(told.logs?.first?.cut == 260)
                let reports = (await one.report(), await two.report())
                #expect(reports.0.entries == 260 && reports.1.entries == 260)
                #expect(reports.0.fingerprint == told.fingerprint && reports.1.fingerprint == told.fingerprint)
            }
        }
    }

    @Test func `A branch that comes in version 1 leaves both as they were, and blames nobody`() async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home(network: Self.network)) { node in
            _ = try await client.run(peer(node) + ["reconcile"] + branch(20))
            let old = try peer(node) + ["--seconds", "4", "--speak", "1", "reconcile"]
            let told = try await client.runToAnyEnd(old + branch(30, "other", from: 11))
            #expect(!told.ok && told.closed == nil && told.version == 1)
            #expect(told.logs == [.init(size: 30, stored: 30, cut: nil, settled: nil, complete: false)])
            #expect(await node.report().entries == 20)
        }
    }

    /// Below the fork, at it, and beyond it on either branch.
    @Test(arguments: [(5, ""), (11, ""), (17, ""), (17, "other"), (30, "other")])
    func `A settlement of the client's makes both hold the same history`(size: Int, of name: String) async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try Home.create(
            at: HomeLayout(directory: directory.path + "/home"),
            network: Self.network,
            for: .person(show: { _ in })
        )
        try await withNode(home) { node in
            _ = try await client.run(peer(node) + ["reconcile"] + branch(20))
            _ = try await client.run(peer(node) + ["reconcile"] + branch(30, "other", from: 11))
            let settle = ["settle", "person-0", "\(size)"] + branch(30, name, from: 11)
            let told = try await client.run(peer(node) + settle)
            let settled = PythonClient.Told.Log(
                size: UInt64(size),
                stored: 30,
                cut: 11,
                settled: UInt64(size),
                complete: true
            )
            #expect(told.logs == [settled])
            let report = await node.report()
            #expect(report.entries == size && told.fingerprint == report.fingerprint && report.wantedBodies == 0)

            // Whoever has the other branch gets the settled one from the node.
            let healed = try await client.run(peer(node) + ["reconcile"] + branch(30, name.isEmpty ? "other" : ""))
            #expect(healed.logs?.first?.complete == true && healed.fingerprint == report.fingerprint)
        }
    }

    @Test func `The words of a node's person settle its log in the client, and the node writes no more`() async throws {
        let client = try await PythonClient.installed()
        let home = try Home.create(
            at: HomeLayout(directory: directory.path + "/home"),
            network: Self.network,
            for: .returning(RecoveryWords(parsing: Self.words))
        )
        let log = try #require(try home.keys().device).certificate.log
        try await withNode(home) { node in
            for text in ["one", "two", "three"] { _ = try await node.post(text) }
            let settle = ["--entropy", Self.entropy, "settle", log.description, "2"]
            let told = try await client.run(peer(node) + settle)
            #expect(told.logs?.first?.settled == 2 && told.posts?.count == 2)
            let report = await node.report()
            #expect(report.fingerprint == told.fingerprint && report.isSigningStopped)
            await #expect(throws: (any Error).self) { try await node.post("four") }
        }
    }

    @Test func `The client ends an account, and the node forgets its logs`() async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home(network: Self.network)) { node in
            _ = try await client.run(peer(node) + ["reconcile", "--people", "0:3", "--each", "2"])
            let ended = try await client.run(peer(node) + ["end", "--person", "0"])
            let report = await node.report()
            #expect(report.logs == 3 && report.entries == 4 && ended.fingerprint == report.fingerprint)

            // It never comes back.
            let again = try await client.run(peer(node) + ["reconcile", "--people", "0:3", "--each", "2"])
            #expect(again.posts?.count == 4 && again.fingerprint == report.fingerprint)
        }
    }

    /// What the client can say that is not so, and the violation's number in `protocol/sync.md` §12.
    private static let said = [
        ("evidence-forged", 25), ("evidence-one-branch", 25), ("evidence-length", 25), ("evidence-log", 25),
        ("settlement-forged", 26), ("settlement-network", 26), ("settlement-size", 26), ("settlement-log", 26),
        ("settlement-root-key", 26), ("end-log", 26), ("certificate-forged", 17), ("certificate-log", 17),
        ("certificate-network", 18), ("prefix-unasked", 12), ("nodes-unasked", 12),
    ]
    private static let answered = [
        ("prefix-signature", 22), ("prefix-node", 22), ("prefix-nodes-more", 22), ("prefix-right-more", 22),
        ("prefix-size", 22), ("prefix-end", 12), ("nodes-hash", 22), ("nodes-fewer", 22), ("nodes-place", 12),
    ]

    @Test func `What the client says falsely of a log is called by its name`() async throws {
        try await lie(Self.said) { branch(6) }
    }

    @Test func `What the client answers falsely about its branch is called by its name`() async throws {
        try await lie(Self.answered) { branch(9, "other", from: 1) }
    }

    private func lie(_ lies: [(String, Int)], _ holding: () -> [String]) async throws {
        let client = try await PythonClient.installed()
        try await withNode(directory.home(network: Self.network)) { node in
            let honest = try await client.run(peer(node) + ["reconcile"] + branch(6))
            for (lie, number) in lies {
                let told = try await client.runToAnyEnd(peer(node) + ["reconcile", "--lie", lie] + holding())
                #expect(told.closed == "peer's goodbye, reason 2, violation \(number)", "\(lie)")
            }
            #expect(await node.report().fingerprint == honest.fingerprint)
        }
    }
}
