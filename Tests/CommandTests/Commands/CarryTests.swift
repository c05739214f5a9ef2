import Foundation
import Testing

/// Nodes that do not carry everything: `config carry`, and what `status`, `peers` and `follow` say of it.
struct CarryTests {
    private func person(_ home: TestHome) throws -> String {
        try #require(try home.json("whoami").first?["id"] as? String)
    }

    private func texts(_ home: TestHome) throws -> Set<String> {
        Set(try home.json("feed", "-n", "100").compactMap { $0["text"] as? String })
    }

    @Test func `Of three nodes in a row the last gets what the middle one carries, and each is told`() throws {
        let hazel = try TestHome(name: "hazel")
        let rowan = try TestHome(name: "rowan")
        let willow = try TestHome(name: "willow")
        let fir = try TestHome(name: "fir")
        try hazel.post("of hazel")
        try rowan.post("of rowan")
        try willow.post("of willow")
        try fir.post("of fir")
        #expect(
            try rowan.told("config", "carry", person(hazel)) == "carry is \(person(hazel))"
        )
        let first = try TestNode(hazel, "--no-exchange")
        try fir.succeed("join", first.address())
        #expect(try fir.run("sync", "--timeout", "60").code == 0)
        try rowan.succeed("join", first.address())
        let middle = try TestNode(rowan, "--no-exchange")
        try willow.succeed("join", middle.address())
        let last = try TestNode(willow, "--no-exchange")
        try Eventually.holds("hazel's post to pass") { try texts(willow) == ["of hazel", "of rowan", "of willow"] }
        try Eventually.holds("all to be in step") {
            try [hazel, rowan, willow].allSatisfy { home in
                let row = try home.answeredStatus()
                let inStep = try #require(row["peers_in_step"] as? Int)
                return inStep > 0 && row["peers_connected"] as? Int == inStep
            }
        }
        #expect(try texts(hazel) == ["of hazel", "of rowan", "of fir"])
        #expect(try texts(rowan) == ["of hazel", "of rowan"])
        #expect(try texts(willow) == ["of hazel", "of rowan", "of willow"])
        let status = try rowan.succeed("status")
        #expect(status.contains(#/ carries +the logs of 2 people\n/#), "\(status)")
        #expect(try rowan.json("status").first?["carried_people"] as? Int == 2)
        #expect(try hazel.json("status").first?["carried_people"] is NSNull)
        let peer = try #require(try willow.json("peers").first)
        #expect(peer["common_people"] as? Int == 2 && peer["carries_you"] as? Bool == false)
        #expect(peer["in_step"] as? Bool == true)
        let shown = try willow.succeed("peers").replacing("\n  ", with: "")
        #expect(shown.contains("in step, of 2 people whom both carry, does not carry your posts"), "\(shown)")
        #expect(try hazel.json("peers").first { $0["common_people"] as? Int == 2 }?["carries_you"] as? Bool == true)
        _ = (first, middle, last)
    }

    @Test func `Whom no peer carries is told by sync that nothing of theirs goes out`() throws {
        let (hazel, rowan, willow) = (
            try TestHome(name: "hazel"), try TestHome(name: "rowan"), try TestHome(name: "willow")
        )
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        try rowan.succeed("config", "carry", person(hazel))
        let node = try TestNode(rowan, "--no-exchange")
        for home in [hazel, willow, hub] { try home.succeed("join", node.address()) }
        func refused() throws {
            expectFailure(
                try willow.run("sync", "--timeout", "60"),
                6,
                "in step with 1 peer, which does not carry your posts: nothing of yours goes out",
                hint: "scurry join HOST:7776, with a peer that carries you"
            )
        }
        try refused()
        let own = try TestNode(willow, "--no-exchange")
        try refused()
        // One whom it carries, and one who writes nothing, lack nothing.
        for home in [hazel, hub] {
            let ended = try home.run("sync", "--timeout", "60")
            #expect(ended.code == 0 && ended.err == "in step with 1 peer\n", "\(ended)")
        }
        withExtendedLifetime((node, own)) {}
    }

    @Test func `Whoever is followed is carried from then on`() throws {
        let hazel = try TestHome(name: "hazel")
        let rowan = try TestHome(name: "rowan")
        try hazel.post("of hazel")
        let node = try TestNode(hazel, "--no-exchange")
        try rowan.succeed("config", "carry", "following")
        try rowan.succeed("join", node.address())
        let other = try TestNode(rowan, "--no-exchange")
        try Eventually.holds("both to be in step") {
            try rowan.json("status").first?["peers_in_step"] as? Int == 1
        }
        #expect(try texts(rowan).isEmpty)
        #expect(try rowan.json("status").first?["carried_people"] as? Int == 1)
        try rowan.succeed("follow", person(hazel))
        try Eventually.holds("what is followed to come") { try texts(rowan) == ["of hazel"] }
        #expect(try rowan.json("status").first?["carried_people"] as? Int == 2)
        _ = (node, other)
    }

    @Test func `A hub follows nobody, and names people by their ids`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let hazel = try TestHome(name: "hazel")
        expectFailure(
            try hub.run("config", "carry", "following"),
            7,
            "a hub follows nobody: there is nobody to carry",
            hint: "scurry config carry everything, or scurry config carry ID,ID"
        )
        let id = try person(hazel)
        #expect(try hub.told("config", "carry", "\(id), \(id)") == "carry is \(id),\(id)")
        let node = try TestNode(hub)
        #expect(try hub.json("status").first?["carried_people"] as? Int == 1)
        #expect(try node.stop() == 0)
        try Data("carry = following\n".utf8).write(to: URL(fileURLWithPath: hub.path + "/config"))
        expectFailure(
            try hub.run("run", "--listen", "127.0.0.1:0"),
            7,
            "a hub follows nobody: there is nobody to carry",
            hint: "scurry config carry everything, or scurry config carry ID,ID"
        )
    }

    @Test func `More people than a node can name are refused`() throws {
        let home = try TestHome(name: "hazel")
        let digits = Array("abcdefghijklmnopqrstuvwxyz234567")
        let ids = (0..<1_024).map { number in
            String(repeating: "a", count: 40) + String([digits[number / 32], digits[number % 32]])
                + String(repeating: "a", count: 10)
        }
        try home.succeed("config", "carry", ids.dropLast().joined(separator: ","))
        let ended = try home.run(["config", "carry", ids.joined(separator: ",")])
        expectFailure(
            ended,
            64,
            "1024 people are too many: a node names 1023 besides yourself at most",
            hint: "scurry config carry everything"
        )
    }
}
