import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `join` of an address whose answer decides: this node's own, and one that is listed with another node.
struct JoinAnswerTests {
    @Test func `A node does not join its own address, whoever vouches for it`() throws {
        let home = try TestHome(name: "hazel")
        // Nobody else's once the node has ended.
        let held = try ClosedPort()
        let port = held.number
        let node = try TestNode(home, "--listen", "127.0.0.1:\(port)")
        for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
            expectFailure(
                try home.run("join", "--trust", "\(host):\(port)"),
                7,
                "that is this node itself",
                hint: "scurry status prints what others join"
            )
        }
        #expect(try home.json("peers").isEmpty)
        // Another node of this machine, and this port where no node of this home runs, may be joined.
        let other = try TestNode(TestHome(name: "oak"))
        let place = try #require(try other.address().split(separator: "@").last)
        #expect(try home.told("join", "--trust", String(place)).hasPrefix("added \(place)"))
        #expect(try node.stop() == 0)
        #expect(try home.told("join", "--trust", "127.0.0.1:\(port)").hasPrefix("added 127.0.0.1:\(port)"))
        withExtendedLifetime(held) {}
    }

    @Test func `An address that another node answers than the listed one is said to be so, and stays`() throws {
        let home = try TestHome(name: "hazel")
        // Nobody else's once the node has ended.
        let held = try ClosedPort()
        let there = try TestNode(TestHome(name: "oak"), "--listen", "127.0.0.1:\(held.number)")
        let parts = try there.address().split(separator: "@").map(String.init)
        let (node, place) = (parts[0], parts[1])
        let before = try #require(try TestHome(name: "fern").json("whoami").first?["node"] as? String)
        try home.succeed("join", "\(before)@\(place)")
        for words in [["join", place], ["join", "--trust", place]] {
            let ended = try home.run(words)
            #expect(
                ended.err == """
                    scurry: error: another node answers at \(place) than the one that is listed; nothing was changed
                      listed   \(before)
                      answers  \(node)
                    hint: if that is right: scurry join \(node)@\(place)

                    """
            )
            #expect(ended.code == 7 && ended.out.isEmpty)
        }
        #expect(try home.json("peers").first?["node"] as? String == before)
        // The hint is what helps.
        #expect(try home.told("join", "\(node)@\(place)").contains("\nchanged \(place)"))
        #expect(try home.json("peers").first?["node"] as? String == node)
        #expect(try home.told("join", place).hasPrefix("\(place) was there already; "))
        // Where nobody answers, nothing is known of another.
        #expect(try there.stop() == 0)
        #expect(try home.told("join", place).hasPrefix("\(place) was there already; "))
        withExtendedLifetime(held) {}
    }

    @Test func `The running node is told before an answer is waited for`() throws {
        let home = try TestHome(name: "hazel")
        let there = try TestNode(TestHome(name: "oak"))
        let address = try there.address()
        let place = try #require(address.split(separator: "@").last)
        try home.succeed("join", address)
        // It takes the call, and says nothing.
        there.process.signal(SIGSTOP)
        defer { there.process.signal(SIGCONT) }
        let node = try TestNode(home, "--log", "info")
        // The node looks at the file only when it is told.
        let peers = home.path + "/peers"
        let lines = try String(contentsOfFile: peers, encoding: .utf8)
        let closed = try ClosedPort()
        let told = "127.0.0.1:\(closed.number)"
        try Data((lines + "\(told)\n").utf8).write(to: URL(fileURLWithPath: peers))
        let join = try home.start(["join", String(place)])
        // In the log: to ask by another command might take longer than an answer is waited for.
        try node.process.wait(for: "cannot reach \(told)", in: .err)
        join.signal(SIGKILL)
        #expect(try join.finish().code != 0, "it still waits for an answer")
        withExtendedLifetime((node, closed)) {}
    }
}
