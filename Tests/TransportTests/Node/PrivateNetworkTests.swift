import Entries
import Sodium
import Sync
import Testing

@testable import Transport

/// A private network, and what somebody sees of it who does not know its secret.
@Suite struct PrivateNetworkTests {
    private let directory = TemporaryDirectory()

    private func secret(_ text: String) throws -> NetworkSecret {
        var bytes = Array(text.utf8)
        return try #require(NetworkSecret(SecretBytes(moving: &bytes)))
    }

    private func home(_ name: String, _ secret: NetworkSecret?) throws -> Home {
        let layout = HomeLayout(directory: directory.path + "/" + name)
        return try Home.create(at: layout, network: "test", secret: secret, for: .person(show: { _ in }))
    }

    @Test func `Nodes with the secret meet`() async throws {
        let secret = try secret("the secret of the lab")
        let (a, b) = (try home("a", secret), try home("b", secret))
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                let post = try await second.post("among us")
                try await first.holds([post])
            }
        }
    }

    /// The bytes on the wire, and when the connection ends: the same whatever a prober sends.
    @Test func `Who does not know the secret gets no byte, and the same end at the same time`() async throws {
        let home = try home("a", secret("the secret of the lab"))
        let key = AgreementKey.random()
        let openHello = firstMessage(key, nil)
        let wrongHello = firstMessage(key, try secret("another secret altogether"))
        let probes: [[UInt8]] = [
            [], [0], [0, 32], openHello, wrongHello, [255, 255], [0, 48] + Randomness.bytes(48),
            Array("GET / HTTP/1.1\r\n\r\n".utf8), Randomness.bytes(200_000),
        ]
        try await withNode(home) { node in
            let port = try #require(node.listening).port
            let answers = try await withThrowingTaskGroup(of: (said: Int, milliseconds: UInt64).self) { group in
                for probe in probes {
                    group.addTask {
                        try await blocking {
                            let socket = try RawSocket(port: port)
                            if !probe.isEmpty { socket.send(probe) }
                            let heard = try #require(socket.listen(), "it ends quietly")
                            return (heard.said.count, heard.milliseconds)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == probes.count)
            for answer in answers {
                #expect(answer.said == 0)
                // The deadline of a handshake, and what a busy machine adds: what is measured begins before that.
                #expect((9_000...20_000).contains(answer.milliseconds), "\(answer.milliseconds) ms")
            }
            // Nobody is punished, least of all an honest peer behind the same address.
            let outcome = await (try NodeProbe(of: home)).ask(PeerAddress(host: "127.0.0.1", port: port))
            #expect(outcome == .itself)
        }
    }

    private func firstMessage(_ key: AgreementKey, _ secret: NetworkSecret?) -> [UInt8] {
        let network = NetworkID(name: "test")
        var channel = SecureChannel.initiator(
            in: network,
            as: key,
            ephemeral: .random(),
            expecting: nil,
            secret: secret?.presharedKey(in: network)
        )
        return channel.start()
    }

    @Test func `A probe with another secret, or none, is not answered`() async throws {
        let ours = try home("a", secret("the secret of the lab"))
        let others = try [home("b", secret("another secret altogether")), home("c", nil)]
        try await withNode(ours) { node in
            let address = PeerAddress(host: "127.0.0.1", port: try #require(node.listening).port)
            for other in others {
                let probe = try NodeProbe(of: other)
                #expect(await probe.ask(address) == .silent)
            }
        }
    }

    @Test func `The secret is kept for this user alone, and damage to it is noticed`() throws {
        let secret = try secret("the secret of the lab")
        let home = try home("a", secret)
        let path = home.layout.networkSecret
        #expect(try directory.permissions(path) == 0o600)
        #expect(home.access == .withSecret)
        #expect(try home.secret()?.bytes.isEqual(to: secret.bytes) == true)
        try FileSystem.setPermissions(0o640, of: path)
        #expect(throws: HomeError.exposed(path, permissions: "600")) { try home.secret() }
        let bytes = try #require(try FileSystem.read(path, limit: 4_096))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            try FileSystem.replace(path, with: changed)
            #expect(throws: HomeError.damaged(path), "byte \(place)") { try home.secret() }
        }
        try FileSystem.remove(path)
        #expect(throws: HomeError.damaged(path)) { try home.secret() }
    }

    @Test func `A home whose secret was lost does not become one of the open network`() async throws {
        let home = try home("a", secret("the secret of the lab"))
        try FileSystem.remove(home.layout.networkSecret)
        let again = try Home(opening: home.layout)
        await #expect(throws: NodeError.home(.damaged(home.layout.networkSecret))) {
            try await Node.open(again, options: .local, log: .silent)
        }
        #expect(try self.home("b", nil).access == .open)
        try FileSystem.replace(home.layout.network, with: "test\nsecret\n")
        #expect(throws: HomeError.damaged(home.layout.network)) { try Home(opening: home.layout) }
    }
}
