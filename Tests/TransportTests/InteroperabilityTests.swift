import Entries
import Foundation
import Testing

@testable import Transport

/// A real node against `Tests/Interoperability`, a client that somebody wrote who had only `protocol/`.
@Suite(.enabled(if: PythonClient.isExpected)) struct InteroperabilityTests {
    private static let network = "interoperability"

    @Test func `The client joins, catches up, posts and is believed`() async throws {
        let client = try await PythonClient.installed()
        let directory = TemporaryDirectory()
        let home = try directory.home(network: Self.network)
        try await withNode(home) { node in
            let posts = [try await node.post("one"), try await node.post("two, with ünïcode")]
            let peer = ["--network", Self.network, "--peer", "\(node.id.description)@\(try node.address)"]

            let joined = try await client.run(peer + ["join"])
            // The client speaks version 1; the node says the latest that it has.
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
