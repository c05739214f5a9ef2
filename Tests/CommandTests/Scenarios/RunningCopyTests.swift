import Foundation
import Testing

/// Nodes on a home and on its copy, at the same time, with one peer.
struct RunningCopyTests {
    private func id(_ node: TestNode) throws -> String { try #require(try node.status()["node"] as? String) }

    private func key(_ home: TestHome) throws -> String {
        try #require(try home.json("whoami").first?["node"] as? String)
    }

    /// The nodes that are connected with this one.
    private func connected(_ home: TestHome) throws -> Set<String> {
        let rows = try home.json("peers").filter { $0["state"] as? String == "connected" }
        return Set(rows.compactMap { $0["node"] as? String })
    }

    @Test func `A node that knows its home as a copy takes no place of the original's at their peers`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("before")
        let peer = try TestNode(rowan)
        try hazel.meet(peer)
        let copy = try hazel.copied()
        let first = try TestNode(hazel)
        let second = try TestNode(copy)
        let ids = Set([try id(first), try id(second)])
        try #require(ids.count == 2)
        #expect(try id(first) == key(hazel))
        try Eventually.holds("both at the peer") { try connected(rowan).isSuperset(of: ids) }
        #expect(try copy.run("sync", "--timeout", "20").code == 0)
        try hazel.post("after")
        try Eventually.equal(hazel, rowan, copy)
        #expect(try connected(rowan).isSuperset(of: ids))
        #expect(try hazel.json("peers").allSatisfy { $0["refused"] is NSNull })
        #expect(try second.stop() == 0)
        // By a node of its own, for as long as the command runs.
        #expect(try copy.run("sync", "--timeout", "20").code == 0)
        #expect(try connected(rowan).contains(id(first)))
        #expect(try hazel.json("peers").allSatisfy { $0["refused"] is NSNull })
    }

    @Test func `A copy's node says under what id it runs, keeps that, and gives it up for the home's own`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let copy = try hazel.copied()
        let node = try TestNode(copy)
        let alias = try id(node)
        let other = try TestNode(try hazel.copied())
        #expect(try Set([alias, id(other), key(hazel)]).count == 3)
        #expect(node.process.text(.err).contains("it relays meanwhile under a node id of its own; scurry status"))
        let status = try copy.succeed("status")
        #expect(status.contains("under an id of its own until you decide"), "\(status)")
        #expect(status.contains("next: scurry id restore") && status.contains("next: scurry id keep"), "\(status)")
        #expect(status.contains(alias), "\(status)")
        let invite = try copy.run("invite", "--address", "oak.example.edu:7776")
        #expect(invite.code == 7 && invite.out.isEmpty, "\(invite.err)")
        let doctor = try copy.run("doctor", "--json").out
        #expect(doctor.contains("under an id of its own until you decide"), "\(doctor)")
        #expect(doctor.contains("answers here"), "\(doctor)")
        #expect(try node.stop() == 0)
        #expect(try copy.run("invite", "--address", "oak.example.edu:7776").code == 7)
        // Who calls it would else take it for another one after each start.
        let again = try TestNode(copy)
        #expect(try id(again) == alias)
        #expect(try again.stop() == 0)
        try copy.succeed("id", "keep", "--yes")
        let kept = try TestNode(copy)
        #expect(try id(kept) == key(hazel))
        #expect(try kept.stop() == 0)
        #expect(!kept.process.text(.err).contains("id of its own"))
    }
}
