import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// A home, and the node that runs on it while `body` does.
@discardableResult
func withNode<Value: Sendable>(
    _ home: Home,
    options: NodeOptions = .local,
    _ body: (Node) async throws -> Value
) async throws -> Value {
    let node = try await Node.open(home, options: options, log: .silent)
    let running = Task { await node.run() }
    do {
        let value = try await body(node)
        node.stop()
        await running.value
        return value
    } catch {
        node.stop()
        await running.value
        throw error
    }
}

extension NodeOptions {
    /// Listens on a port of the system's choice; no control socket.
    static var local: NodeOptions {
        var options = NodeOptions(listen: ListenAddress(host: "127.0.0.1", port: 0))
        options.control = .off
        options.dialling = .listed
        return options
    }

    static var silent: NodeOptions {
        var options = local
        options.listen = nil
        return options
    }
}

extension Home {
    /// Writes the peers file.
    func list(_ addresses: String...) throws {
        var file = PeersFile(parsing: "")
        for address in addresses { _ = file.add(try PeerLine(parsing: address)) }
        try file.write(to: layout.peers)
    }
}

extension Home {
    /// Writes many posts of one length, under one head.
    func fill(posts: Int, bytes: Int) throws {
        let device = try #require(try keys().device)
        let store = try EntryStore(.file(layout.store), network: network, creation: .never)
        var generator = TestRandomness()
        let drafts = try (0..<posts).map { index in
            let post = try Post(salt: Salt(using: &generator), text: String(repeating: "x", count: bytes))
            return EntryStore.Draft(payload: .post(post), time: UInt64(index) + 1)
        }
        _ = try store.append(drafts, with: device.signing, publication: .held)
        try store.close()
    }
}

extension Node {
    nonisolated var address: String {
        get throws { try #require(listening).text }
    }

    func post(_ text: String) async throws -> EntryID {
        var generator = TestRandomness()
        let post = try Post(salt: Salt(using: &generator), text: text)
        return try #require(try await append(.post(post)).chunk.entries.last).id
    }

    /// Waits until this node holds all of these posts.
    func holds(_ posts: [EntryID]) async throws {
        let reader = try StoreReader(path: home.layout.store, network: home.network)
        let outcome = await wait(milliseconds: patience) { _ in
            posts.allSatisfy { (try? reader.post($0, reader: nil)) ?? nil != nil }
        }
        #expect(outcome == .reached)
    }

    /// Waits until so many peers are connected.
    func hasPeers(_ count: Int) async {
        #expect(await wait(milliseconds: patience) { $0.sessions.count == count } == .reached)
    }
}
