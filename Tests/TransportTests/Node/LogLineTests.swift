import Entries
import Logging
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

    @Test func `Only of a peer that a person listed it is said that scurry is too old for it`() {
        let short = node.description.prefix(8)
        let listed = LogLine(.noCommonVersion(node, address, oldest: 50, listing: .listed))
        #expect(listed.text == "hub.example:7776 (\(short)) needs version 50 of the protocol: upgrade scurry")
        #expect(listed.level == .warning)
        let caller = PeerAddress(host: "192.0.2.1", port: 0)
        let stranger = LogLine(.noCommonVersion(node, caller, oldest: 50, listing: .unlisted))
        #expect(
            stranger.text == "192.0.2.1 (\(short)) needs version 50 of the protocol, which this scurry does not speak"
        )
        #expect(stranger.level == .notice)
    }

    @Test func `A violation is named, with the host of one who called`() {
        let caller = PeerAddress(host: "192.0.2.1", port: 0)
        let line = LogLine(.violation(nil, caller, .badProof, backoffMilliseconds: 600_000))
        #expect(line.text == "192.0.2.1 broke the protocol (badProof); left alone for 600 s")
    }

    @Test(arguments: [17, 19, 21, 23] as [UInt32])
    func `Of a violation that damaged data causes the way to find out is said`(code: UInt32) {
        let line = LogLine(.lost(node, address, .goodbye(.violation(code: code))))
        let hint = "; if it is right, the database is damaged: scurry doctor"
        #expect(line.text.hasSuffix("broke the protocol (\(code))\(hint)"))
        let other = LogLine(.lost(node, address, .goodbye(.violation(code: code + 1))))
        #expect(other.text.hasSuffix("broke the protocol (\(code + 1))"))
    }

    @Test func `What does not decrypt is a lost connection, since anybody on the way may have changed it`() {
        let line = LogLine(.violation(node, address, .decryption, backoffMilliseconds: 0))
        let who = "hub.example:7776 (\(node.description.prefix(8)))"
        #expect(line.text == "connection lost: \(who): what came does not decrypt, as if changed on the way")
        #expect(line.level == .notice)
    }

    @Test func `A peer that is full may also wait out a violation`() {
        let line = LogLine(.refused(node, address, .tooManyPeers, by: .peer))
        let words = "the peer has as many connections as it takes, or leaves this node alone for a time"
        #expect(line.text == "hub.example:7776 (\(node.description.prefix(8))): \(words)")
    }
}
