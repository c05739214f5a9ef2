import Entries
import Sodium
import Sync
import Testing

@testable import Transport

@Suite struct PeersFileTests {
    private let node = NodeID(raw: Bytes32(1...32) ?? .zero)
    private let text = """
        # mine

        hub.example.org   # hub
        what is this
        [::1]:7777
        """ + "\n"

    private func peer(_ text: String) throws -> PeerLine { try PeerLine(parsing: text) }

    @Test func `A bad line is named by its number, and the others are used`() {
        let file = PeersFile(parsing: text)
        #expect(file.badLines == [PeersFile.BadLine(number: 4, reason: .moreThanOneWord)])
        #expect(file.peers.map(\.address.text) == ["hub.example.org:7776", "[::1]:7777"])
    }

    @Test func `A peer counts once, by its address or by the id that is known`() throws {
        let file = PeersFile(parsing: "a:1\na:1  # again\n\(node)@b:1\nc:1\nd:1\n")
        #expect(file.peersCount(KnownNodes()) == 4)
        var known = KnownNodes()
        _ = known.pin(try peer("c:1").address, to: node)
        #expect(file.peersCount(known) == 3)
    }

    @Test func `Comments, order and bad lines survive`() throws {
        var file = PeersFile(parsing: text)
        #expect(file.text == text)
        #expect(file.add(try peer("last:1")) == .added)
        #expect(file.text == text + "last:1\n")
        #expect(file.remove { $0.address.host == "last" }.count == 1)
        #expect(file.text == text)
    }

    @Test func `Lines may end as on Windows, and the last need not end`() {
        #expect(PeersFile(parsing: "a:1\r\nb:2").peers.map(\.address.text) == ["a:1", "b:2"])
    }

    @Test func `A comment may begin with a combining mark`() {
        let file = PeersFile(parsing: "#\u{301}mine\n # \u{301}\na:1\n")
        #expect(file.badLines.isEmpty && file.peers.count == 1)
    }

    @Test func `Adding an address again gives it the id and keeps the name`() throws {
        var file = PeersFile(parsing: text)
        let old = try peer("hub.example.org # hub")
        #expect(file.add(try peer("\(node)@hub.example.org:7776")) == .changed(old))
        #expect(file.peers.first == PeerLine(node: node, address: old.address, name: "hub"))
        #expect(file.add(try peer("hub.example.org")) == .unchanged)
        #expect(file.peers.first?.node == node)
        #expect(file.text.contains("\(node)@hub.example.org:7776  # hub\n"))
    }

    @Test func `It is written whole, private, and read back`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/deep/below/peers"
        var file = try PeersFile(reading: path)
        #expect(file.peers.isEmpty)
        _ = file.add(try peer("a.example:7776"))
        try file.write(to: path)
        #expect(try PeersFile(reading: path) == PeersFile(parsing: file.text))
        #expect(try FileSystem.names(in: directory.path + "/deep/below") == ["peers"])
        #expect(try directory.permissions(path) == 0o600)
    }

    @Test func `The example reads without a bad line`() throws {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let bytes = try #require(try FileSystem.read("/\(root)/peers.example", limit: 65_536))
        let file = PeersFile(parsing: String(decoding: bytes, as: UTF8.self))
        #expect(file.badLines.isEmpty)
        #expect(file.peers.count == 4)
        #expect(file.peers.last?.node != nil)
    }

    @Test func `A node that was met is remembered, and another one is not taken for it`() throws {
        let directory = TemporaryDirectory()
        let path = directory.path + "/known_nodes"
        let address = PeerAddress(host: "::1", port: 7776)
        let other = NodeID(raw: Bytes32(2...33) ?? .zero)
        var known = KnownNodes()
        #expect(known.pin(address, to: node) == .pinned)
        #expect(known.pin(address, to: node) == .known)
        #expect(known.pin(address, to: other) == .differs(node))
        try known.write(to: path)
        var read = try KnownNodes(reading: path)
        #expect(read == known)
        #expect(read[address] == node)
        read.forget(address)
        #expect(read.pin(address, to: other) == .pinned)
    }

    @Test func `Joining with an id and leaving forget who was met`() throws {
        let directory = TemporaryDirectory()
        let home = try directory.home()
        let address = PeerAddress(host: "one", port: 1)
        let other = NodeID(raw: Bytes32(2...33) ?? .zero)
        func remember() throws {
            var known = KnownNodes()
            _ = known.pin(address, to: other)
            try known.write(to: home.layout.knownNodes)
        }
        #expect(try home.join(PeerLine(node: nil, address: address, name: "first")) == .added)
        try remember()
        #expect(try home.join(PeerLine(node: nil, address: address)) == .unchanged)
        #expect(try KnownNodes(reading: home.layout.knownNodes)[address] == other)
        _ = try home.join(PeerLine(node: node, address: address))
        #expect(try KnownNodes(reading: home.layout.knownNodes)[address] == nil)
        try remember()
        #expect(try home.leave { listed, _ in listed.filter { $0.isMeant(by: "first") } }.map(\.node) == [node])
        #expect(try KnownNodes(reading: home.layout.knownNodes)[address] == nil)
        #expect(try home.peersFile().peers.isEmpty)
    }

    @Test func `A peer is meant by id, beginning of the id, address, host or name`() throws {
        let line = PeerLine(node: node, address: PeerAddress(host: "::1", port: 7776), name: "hub")
        let id = node.description
        for word in [id, String(id.prefix(4)), "[::1]:7776", "::1", "hub"] {
            #expect(line.isMeant(by: word), "\(word)")
        }
        for word in [String(id.prefix(3)), "", "hu", "[::1]:7777"] { #expect(!line.isMeant(by: word), "\(word)") }
    }

    @Test func `A line of the peers file without an id has the one that was remembered`() throws {
        let directory = TemporaryDirectory()
        let home = try directory.home()
        try home.list("one:1", "two:2")
        var known = KnownNodes()
        _ = known.pin(PeerAddress(host: "one", port: 1), to: node)
        try known.write(to: home.layout.knownNodes)
        let learned = PeerTarget(address: PeerAddress(host: "three", port: 3), node: node, origin: .learned)
        let listed = PeerTarget(address: PeerAddress(host: "one", port: 1), node: nil, origin: .learned)
        try PeerList.writeLearned([learned, listed], to: home.layout)
        let list = try PeerList(reading: home.layout, known: KnownNodes(reading: home.layout.knownNodes))
        #expect(list.listed.map(\.node) == [node, nil])
        #expect(list.learned == [learned])
    }
}
