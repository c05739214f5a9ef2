import Entries
import Foundation
import Sodium
import Testing

@testable import scurry

/// `show` of a thread in which something is missing.
struct ThreadCommandTests {
    @Test func `A script gets what a reply answers, and a signature that holds for its log`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("a question")
        try home.succeed("reply", root, "an answer")
        let reply = try #require(try home.json("mine", "-n", "1").first?["id"] as? String)
        let row = try #require(try home.json("show", reply).first)
        #expect(row["id"] as? String == reply && row["parent"] as? String == root && row["root"] as? String == root)
        let bytes = { (key: String) in try #require((row[key] as? String).flatMap { Base32.decode($0) }, "\(key)") }
        let head = Head(
            log: try #require(LogID(bytes("log"))),
            size: try #require(row["head_size"] as? UInt64),
            root: try #require(Bytes32(bytes("head_root"))),
            signature: try #require(Signature(bytes("signature")))
        )
        #expect(head.size > (try #require(row["sequence"] as? UInt64)))
        let device = try #require(DeviceID(bytes("device")))
        #expect(head.isValid(network: NetworkID(name: "campus"), device: device))
        #expect(try home.json("whoami").first?["device"] as? String == row["device"] as? String)
    }

    @Test func `A script is told of a post that is not here, and what answers it stays below it`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("a question")
        let elsewhere = try TestHome(name: "rowan").post("never here")
        let id = { (text: String) in try #require(Base32.decode(text).flatMap { EntryID($0) }) }
        let reply = try Post.Reply(parent: id(elsewhere), root: id(root))
        try home.write(.post(try Post(salt: .fresh(), text: "an answer", reply: reply)))
        let rows = try home.json("show", root)
        #expect(rows.compactMap { $0["text"] as? String } == ["a question", "an answer"])
        #expect(rows.compactMap { $0["state"] as? String } == ["posted", "missing", "posted"])
        #expect(rows.compactMap { $0["depth"] as? Int } == [0, 1, 2])
        let stub = try #require(rows.first { $0["state"] as? String == "missing" })
        #expect(stub["id"] as? String == elsewhere)
        #expect(Set(stub.keys) == ["id", "state", "depth"])
    }

    @Test func `A script is told how many nodes hold a post`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let id = try hazel.post("a question")
        let alone = try #require(try hazel.json("show", id).first)
        #expect(alone["held_by"] as? Int == 1 && alone["in_step_peers"] is NSNull)
        let first = try TestNode(hazel)
        try rowan.succeed("join", try first.address())
        let second = try TestNode(rowan)
        try Eventually.holds("both to hold it") {
            let row = try hazel.json("show", id).first
            return row?["held_by"] as? Int == 2 && row?["in_step_peers"] as? Int == 1
        }
        _ = (first, second)
    }

    @Test func `A reply that was taken back takes no answers along`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("root")
        try home.succeed("reply", root, "middle")
        let middle = try #require(try home.json("mine").last?["id"] as? String)
        try home.succeed("reply", middle, "leaf")
        let leaf = try #require(try home.json("mine").last?["id"] as? String)
        try home.succeed("delete", middle)
        let shown = try home.succeed("show", root)
        #expect(shown.contains("root") && shown.contains("deleted") && shown.contains("leaf"), "\(shown)")
        let rows = try home.json("show", root)
        #expect(rows.compactMap { $0["id"] as? String } == [root, middle, leaf])
        #expect(rows.compactMap { $0["depth"] as? Int } == [0, 1, 2])
    }
}
