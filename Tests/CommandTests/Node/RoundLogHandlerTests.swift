import Foundation
import Testing
import TestSupport

@testable import scurry

/// `sync` without a node says each thing once, as a command.
struct RoundLogHandlerTests {
    /// How often a text is in another.
    private func count(_ part: some StringProtocol, in text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    @Test func `What is said of a call to a listed peer is left to the list, and nothing else is`() {
        let listed = ["oak:7776", "[::1]:7776"]
        let left = [
            "cannot reach oak:7776: the name does not resolve; next attempt in 1 s",
            "oak:7776 does not answer as a node of this network: another network; left alone for 600 s",
            "[::1]:7776 (abcdefgh) broke the protocol (badProof); left alone for 600 s",
        ]
        for text in left { #expect(RoundLogHandler.isSaidAtTheEnd(text, of: listed), "\(text)") }
        let said = [
            "oak:7776 is this node itself", "oak:77761 (abcdefgh) needs version 2 of the protocol: upgrade scurry",
            "cannot reach fir:7776: the name does not resolve; next attempt in 1 s",
            "nothing more is signed on this device: the account was ended",
        ]
        for text in said { #expect(!RoundLogHandler.isSaidAtTheEnd(text, of: listed), "\(text)") }
    }

    @Test func `Peers that are not there are told once, and no next attempt`() throws {
        let home = try TestHome(name: "hazel")
        let closed = try ClosedPort()
        // A label is too long for the name service: it is asked nothing.
        let nobody = String(repeating: "x", count: 64) + ".invalid:7776"
        let places = [nobody, "127.0.0.1:\(closed.number)"]
        let file = "two words\n\(places.joined(separator: "\n"))\n"
        try Data(file.utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        let failed = try home.run("sync", "--timeout", "60")
        #expect(failed.code != 0 && failed.out.isEmpty)
        let lines = failed.err.split(separator: "\n")
        let bad = "\(home.path)/peers, line 1: more than one word before the comment; the other lines are used"
        #expect(lines.first.map(String.init) == "scurry: warning: \(bad)", "\(failed.err)")
        #expect(lines.dropFirst().first?.hasPrefix("scurry: error: ") == true, "\(failed.err)")
        for place in places { #expect(count(place, in: failed.err) == 1, "\(failed.err)") }
        #expect(!failed.err.contains("next attempt"), "\(failed.err)")
    }

    @Test func `A node of another network is told once, and not that it is left alone`() throws {
        let there = try TestNode(try TestHome.elsewhere(name: "rowan"))
        let home = try TestHome(name: "hazel")
        let address = try there.address()
        let place = try #require(address.split(separator: "@").last)
        try home.succeed("join", address)
        let failed = try home.run("sync", "--timeout", "60")
        #expect(failed.code != 0 && failed.err.hasPrefix("scurry: error: "), "\(failed.err)")
        #expect(count(place, in: failed.err) == 1 && !failed.err.contains("left alone"), "\(failed.err)")
        _ = there
    }

    @Test func `Beside a peer that is in step one that is not there is a warning`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        let closed = try ClosedPort()
        try rowan.succeed("join", "--trust", "127.0.0.1:\(closed.number)")
        let synced = try rowan.run("sync", "--timeout", "60")
        let warning = "scurry: warning: 127.0.0.1:\(closed.number): nobody listens there"
        #expect(synced.code == 0)
        #expect(
            synced.err.hasPrefix("in step with 1 peer; 1 could not be reached\n\(warning)"),
            "\(synced.err)"
        )
        _ = node
    }
}
