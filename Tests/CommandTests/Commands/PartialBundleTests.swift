import Foundation
import Testing

/// A bundle of which only the beginning came: what is here of a log counts once the rest has come, and is wanted.
struct PartialBundleTests {
    @Test func `A log that came in part is wanted, with and without a node`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.fill(posts: 100, bytes: 8_000)
        let whole = try hazel.bundle("whole")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
        let cut = try rowan.run("import", try rowan.write(bytes.prefix(bytes.count - 1_000), "cut"))
        #expect(cut.code == 6)
        #expect(cut.err.contains("; what came before it is kept, and 1 log of it shown when the rest has come\n"))
        try expectWanted(by: rowan)
        let node = try TestNode(rowan)
        try expectWanted(by: rowan)
        #expect(try node.stop() == 0)

        #expect(try rowan.told("import", whole).hasSuffix("entries of 1 person are new"))
        #expect(try rowan.succeed("fingerprint").hasSuffix("  complete\n"))
        let row = try #require(try rowan.json("fingerprint").first)
        #expect(row["complete"] as? Bool == true && row["wanted_logs"] as? Int == 0)
    }

    private func expectWanted(by home: TestHome, at location: SourceLocation = #_sourceLocation) throws {
        for command in ["fingerprint", "status"] {
            let row = try #require(try home.json(command).first)
            #expect(row["complete"] as? Bool == false && row["wanted_logs"] as? Int == 1, sourceLocation: location)
        }
        #expect(try home.succeed("fingerprint").hasSuffix("  1 log is still wanted\n"), sourceLocation: location)
        let status = try home.run(["status"], ["COLUMNS": "200"]).out
        #expect(status.contains(", 1 log still wanted\n"), "\(status)", sourceLocation: location)
    }
}
