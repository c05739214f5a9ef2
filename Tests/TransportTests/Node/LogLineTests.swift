import Entries
import Sodium
import Sync
import Testing

@testable import Transport

@Suite struct LogLineTests {
    private let node = NodeID(raw: Bytes32(1...32) ?? .zero)
    private let address = PeerAddress(host: "hub.example", port: 7776)

    @Test func `A name that does not resolve is a warning with the address`() {
        let line = LogLine(.dialFailed(address, .nameNotFound, retryInMilliseconds: 1_001))
        #expect(line.text == "cannot reach hub.example:7776: the name does not resolve; next attempt in 2 s")
    }

    @Test func `Another node at a known address names both and the command that helps`() {
        let line = LogLine(.wrongNode(address, expected: .init(raw: .zero), found: node))
        #expect(line.text.contains("scurry join \(node)@hub.example:7776"))
        #expect(line.text.contains("\(NodeID(raw: .zero))"))
    }

    @Test func `What a peer calls itself cannot move the cursor`() {
        let line = LogLine(.connected(node, address, agent: "a\u{1B}[2J\u{202E}b\n"))
        #expect(line.text == "connected: hub.example:7776 (\(node.description.prefix(8))) (a?[2J???b?)")
    }

    @Test func `Two histories of a log are told of by who has which`() {
        let log = LogID(raw: .zero)
        let branch = LogLine(.branchOfPeer(log, node))
        #expect(branch.text.hasPrefix("\(node.description.prefix(8)) holds another history of log \(log)"))
        let own = LogLine(.ownLogSetAside(log))
        #expect(own.text.hasPrefix("entries of your log \(log) that never left this home"))
    }

    @Test func `A violation is named, with the host of one who called`() {
        let caller = PeerAddress(host: "192.0.2.1", port: 0)
        let line = LogLine(.violation(nil, caller, .badProof, backoffMilliseconds: 600_000))
        #expect(line.text == "192.0.2.1 broke the protocol (badProof); left alone for 600 s")
    }
}
