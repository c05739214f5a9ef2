import Entries
import Foundation
import Testing

@testable import Transport

/// A real node against `Tests/Interoperability`, a client that somebody wrote who had only `protocol/`.
@Suite(.enabled(if: PythonClient.isExpected)) struct InteroperabilityTests {
    private static let network = "interoperability"

    /// Its modules, each by itself, the vectors, and two nodes of it with each other.
    @Test func `The client passes its own tests`() async throws {
        let count = try await PythonClient.installed().testItself()
        #expect(count >= 70)
    }

    @Test func `The client joins, catches up, posts and is believed`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        try await withNode(home) { node in
            let posts = [try await node.post("one"), try await node.post("two, with ünïcode")]
            let peer = ["--network", Self.network, "--peer", "\(node.id.description)@\(try node.address)"]

            let joined = try await client.run(peer + ["join"])
            #expect(joined.hello?["version"] == .number(2))
            #expect(joined.node == node.id.bytes.hexadecimal)

            let caughtUp = try await client.run(peer + ["catch-up"])
            #expect(caughtUp.fingerprint == (await node.report()).fingerprint)
            #expect(Set(caughtUp.posts ?? []) == Set(posts.map(\.bytes.hexadecimal)))

            // One byte at a time, in both directions.
            let slow = try await client.run(peer + ["--chop", "1", "catch-up"])
            #expect(slow.fingerprint == caughtUp.fingerprint)

            let posted = try await client.run(peer + ["post", "from the other one", "--channel", "squirrels"])
            let entry = try #require(posted.entry.flatMap { EntryID([UInt8](hexadecimal: $0)) })
            try await node.holds([entry])
            let report = await node.report()
            #expect(posted.fingerprint == report.fingerprint)
            #expect(report.logs == 2 && report.entries == 3)

            // It comes again with another key, and gets both logs from the node.
            let again = try await client.run(peer + ["catch-up"])
            #expect(again.fingerprint == report.fingerprint)
            #expect(again.posts?.count == 3)
        }
    }

    @Test func `A client of version 1 is still served`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        try await withNode(home) { node in
            _ = try await node.post("one")
            let peer = [
                "--network", Self.network, "--speak", "1", "--peer", "\(node.id.description)@\(try node.address)",
            ]

            // What it brings would be reconciled in version 2; here it is listed, and compared in pages.
            let posted = try await client.run(peer + ["post", "as ever"])
            #expect(posted.version == 1 && posted.rounds == 0)
            let brought = try await client.run(peer + ["--brief", "reconcile", "--people", "0:40"])
            #expect(brought.version == 1 && brought.rounds == 0 && brought.count == 42)
            let caughtUp = try await client.run(peer + ["catch-up"])
            #expect(caughtUp.version == 1 && caughtUp.posts?.count == 42)
            let report = await node.report()
            #expect(report.logs == 42 && report.entries == 42)
            #expect([posted.count, brought.count, caughtUp.count] == [2, 42, 42])
            #expect(brought.fingerprint == report.fingerprint && caughtUp.fingerprint == report.fingerprint)
        }
    }

    @Test func `A node that knows nothing fetches everything that the client has`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        let (report, told) = try await fetch(home, from: client, ["--people", "0:300", "--each", "3"])
        #expect(report.logs == 300 && report.entries == 900 && report.wantedBodies == 0)
        #expect(told.served["entries"] == 900)
        // There is nothing to compare with.
        #expect(told.rounds == 0)
    }

    @Test func `What both have in part is reconciled, whoever dials`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        let (first, _) = try await fetch(home, from: client, ["--people", "0:1200"])
        #expect(first.logs == 1_200)

        // The client dials. It has 400 people of them, 800 others and a log of its own.
        try await withNode(home) { node in
            let peer = ["--network", Self.network, "--peer", "\(node.id.description)@\(try node.address)"]
            let reconciled = try await client.run(
                peer + ["--seconds", "60", "--brief", "reconcile", "--people", "800:2000", "--posts", "2"]
            )
            let report = await node.report()
            #expect(report.logs == 2_001 && report.entries == 2_002)
            #expect(reconciled.count == 2_001 && reconciled.fingerprint == report.fingerprint)
            // The newest first, then all.
            #expect(reconciled.version == 2 && reconciled.stages == [1_024, 1_201])
            #expect(reconciled.served["entries"] == 802)
        }

        // The node dials: it lacks 500 of a thousand, and has 1,501 that the client lacks.
        let (last, told) = try await fetch(home, from: client, ["--people", "1500:2500"])
        #expect(last.logs == 2_501 && told.count == 2_501)
        #expect(told.rounds ?? 0 > 1)
        #expect(told.served["entries"] == 500)
    }

    @Test func `The newest of long logs come first, and then what was left out, both ways`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        let (fetched, told) = try await fetch(home, from: client, ["--people", "0:2", "--each", "3000"])
        #expect(fetched.logs == 2 && fetched.entries == 6_000)
        #expect(told.served["windows"] == 2)
        #expect(told.served["entries"] == 2_048 && told.served["missing"] == 3_952)
        try await withNode(home) { node in
            let peer = ["--network", Self.network, "--peer", "\(node.id.description)@\(try node.address)"]
            let caughtUp = try await client.run(peer + ["--seconds", "60", "--brief", "catch-up"])
            #expect(caughtUp.fingerprint == (await node.report()).fingerprint)
            #expect(caughtUp.taken == ["windows": 2, "missing": 3_952])
        }
    }

    @Test func `Bodies that one client withholds are fetched from another`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        let (first, _) = try await fetch(home, from: client, ["--people", "0:50", "--without-bodies"])
        #expect(first.logs == 50 && first.wantedBodies == 50)
        try await withNode(home) { node in
            let peer = ["--network", Self.network, "--peer", "\(node.id.description)@\(try node.address)"]
            let reconciled = try await client.run(peer + ["--brief", "reconcile", "--people", "20:70"])
            let report = await node.report()
            #expect(report.logs == 70 && report.wantedBodies == 20)
            #expect(reconciled.fingerprint == report.fingerprint)
            #expect(reconciled.served["bodies"] == 30)
        }
    }

    /// Dials a client that serves what `arguments` say, until both are equal.
    private func fetch(
        _ home: Home,
        from client: PythonClient,
        _ arguments: [String]
    ) async throws -> (StatusReport, PythonClient.Told) {
        let options = ["--network", Self.network, "--seconds", "60", "--brief"]
        let serving = try client.start(options + ["serve", "--sessions", "1"] + arguments)
        defer { serving.end() }
        let place = try await serving.line(PythonClient.Listening.self)
        try home.list("\(place.id)@127.0.0.1:\(place.port)")
        let report = try await withNode(home, options: .silent) { node in
            await node.hasPeers(1)
            #expect(await node.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
            return await node.report()
        }
        let told = try await serving.line(PythonClient.Told.self)
        #expect(told.ok && told.fingerprint == report.fingerprint)
        return (report, told)
    }

    @Test func `A node dials the client, and takes what it wrote`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        let listening = try client.start([
            "--network", Self.network, "--seconds", "60", "listen", "--post", "first", "--post", "second",
            "--sessions", "1",
        ])
        defer { listening.end() }
        let place = try await listening.line(PythonClient.Listening.self)
        try home.list("\(place.id)@127.0.0.1:\(place.port)")
        let fingerprint = try await withNode(home, options: .silent) { node in
            let own = try await node.post("written by the node")
            await node.hasPeers(1)
            #expect(await node.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
            try await node.holds([own])
            let report = await node.report()
            #expect(report.logs == 2 && report.entries == 3)
            return report.fingerprint
        }
        let told = try await listening.line(PythonClient.Told.self)
        #expect(told.fingerprint == fingerprint)
        #expect(told.posts?.count == 3)
    }
}
