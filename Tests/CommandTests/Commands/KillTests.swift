import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Processes that are killed at any moment: nothing that was said to be saved is lost, and no log forks.
struct KillTests {
    /// Kills of each kind of process.
    private static let rounds = 50

    /// Every text of one's own posts.
    private func texts(_ home: TestHome) throws -> Set<String> {
        Set(try home.json("mine", "-n", "1000").compactMap { $0["text"] as? String })
    }

    /// A post whose command is killed so many microseconds after its start, unless it was done, or never; true if it
    /// said that it was.
    private func post(_ text: String, on home: TestHome, killedAfter microseconds: UInt32?) throws -> Bool {
        let command = try home.start(["post", text])
        command.closeInput()
        if let microseconds {
            usleep(microseconds)
            command.signal(SIGKILL)
        }
        let ended = try command.finish()
        return ended.code == 0 || (!ended.err.isEmpty && !ended.err.contains("error"))
    }

    @Test func `A post that a killed command reported is there, and nothing else is broken`() throws {
        var random = Seeded.fresh()
        let home = try TestHome(name: "hazel")
        var saved: Set<String> = []
        for round in 0..<Self.rounds {
            let text = "round \(round)"
            let moment = UInt32.random(in: 0...60_000, using: &random)
            if try post(text, on: home, killedAfter: moment) { saved.insert(text) }
        }
        // A slow machine may kill every other one before it has said anything.
        if try post("not killed", on: home, killedAfter: nil) { saved.insert("not killed") }
        #expect(!saved.isEmpty, "seed \(random.seed)")
        #expect(saved.subtracting(try texts(home)).isEmpty, "seed \(random.seed)")
        try home.post("afterwards")
        let (out, peer) = (try home.succeed("fingerprint"), try TestHome(name: "rowan"))
        #expect(out.contains("complete"), "seed \(random.seed)")
        let node = try TestNode(home)
        try peer.succeed("join", try node.address())
        try peer.succeed("sync", "--timeout", "60")
        #expect(try home.succeed("fingerprint") == peer.succeed("fingerprint"), "seed \(random.seed)")
    }

    @Test func `A node that is killed while it sends and receives forks nothing and loses nothing`() throws {
        var random = Seeded.fresh()
        let (home, peer) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let witness = try TestNode(peer)
        try home.succeed("join", try witness.address())
        var saved: Set<String> = []
        for round in 0..<Self.rounds {
            let node = try TestNode(home)
            try peer.post("witness \(round)")
            let text = "round \(round)"
            let command = try home.start(["post", text])
            command.closeInput()
            usleep(UInt32.random(in: 0...60_000, using: &random))
            node.process.signal(SIGKILL)
            _ = try node.process.exitCode()
            if try command.finish().code == 0 { saved.insert(text) }
        }
        let node = try TestNode(home)
        try Eventually.equal(home, peer)
        #expect(saved.subtracting(try texts(home)).isEmpty, "seed \(random.seed)")
        #expect(!saved.isEmpty, "seed \(random.seed)")
        #expect(try texts(peer).count == Self.rounds, "seed \(random.seed)")
        for last in [node, witness] {
            #expect(try last.stop() == 0)
            #expect(!last.process.text(.err).contains("fork"), "seed \(random.seed)")
        }
    }
}
