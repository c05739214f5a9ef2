import Entries
import Foundation
import Sodium
import Testing

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
