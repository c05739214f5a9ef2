import Foundation
import Testing

/// A bit that the disk changed in a stored text: who notices, and how it heals.
struct DiskRotTests {
    private static let wayOut = "scurry restore BACKUP, or scurry id restore with the words, in a new SCURRY_HOME"
    private static let cause = "the disk changed what was stored"

    /// Changes one bit of the newest text of a log; the own one is the first.
    private func damage(_ home: TestHome, log: Int) throws {
        let python = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            number = c.execute("SELECT number FROM logs ORDER BY number LIMIT 1 OFFSET \(log)").fetchone()[0]
            body = c.execute("SELECT max(body) FROM entries WHERE key >> 32 = ?", (number,)).fetchone()[0]
            text = bytearray(c.execute("SELECT payload FROM bodies WHERE number = ?", (body,)).fetchone()[0])
            text[-1] ^= 1
            c.execute("UPDATE bodies SET payload = ? WHERE number = ?", (bytes(text), body))
            c.commit()
            """
        try Shell.run("python3", "-c", python, home.path + "/store.sqlite")
    }

    private func database(_ home: TestHome) throws -> (state: String, text: String, help: String?) {
        let rows = try JSONLines.parse(home.run("doctor", "--json").out)
        let row = try #require(rows.first { $0["id"] as? String == "database" })
        return (row["state"] as? String ?? "", row["text"] as? String ?? "", row["help"] as? String)
    }

    @Test func `Another person's log is found by doctor, left out of an export, and fetched again after a rebuild`()
        throws
    {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("By hazel.")
        try rowan.post("By rowan.")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        #expect(try hazel.texts().count == 2)
        #expect(try database(hazel).state == "ok")
        try damage(hazel, log: 1)
        let found = try database(hazel)
        #expect(found.state == "problem" && found.help == "scurry rebuild")
        #expect(found.text == "1 log is not what its author signed: \(Self.cause)")

        let export = try hazel.start(["export"])
        let ended = try export.finish()
        #expect(ended.code == 6, "\(ended.err)")
        #expect(ended.err.contains("1 log could not be read as signed"), "\(ended.err)")
        #expect(ended.err.contains("scurry doctor"), "\(ended.err)")
        let taker = try TestHome(name: "taker")
        let taking = try taker.start(["import", "-"])
        taking.send(export.bytes(.out))
        taking.closeInput()
        #expect(try taking.finish().code == 0)
        #expect(try taker.texts() == ["By hazel."])

        let rebuilt = try hazel.told("rebuild")
        #expect(
            rebuilt == """
                rebuilt 1 post from 2 entries of 1 log
                dropped 1 damaged log: it comes back from peers
                """
        )
        #expect(try database(hazel).state == "ok")
        #expect(try hazel.texts() == ["By hazel."])
        try hazel.meet(node)
        #expect(try Set(hazel.texts()) == ["By hazel.", "By rowan."])
        try Eventually.equal(hazel, rowan)
        _ = try node.stop()
    }

    @Test func `The own log is never dropped, and what helps is said`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("By hazel.")
        try damage(hazel, log: 0)
        let found = try database(hazel)
        #expect(found.state == "problem" && found.help == Self.wayOut)
        #expect(found.text == "your own log is not what was signed: \(Self.cause)")
        let ended = try hazel.run("rebuild")
        #expect(ended.code == 6)
        #expect(ended.err.hasPrefix("rebuilt 1 post from 2 entries of 1 log\n"), "\(ended.err)")
        #expect(ended.err.contains("your own log is not what was signed"), "\(ended.err)")
        #expect(ended.err.hasSuffix("hint: \(Self.wayOut)\n"), "\(ended.err)")
        #expect(try hazel.texts().count == 1)
    }

    @Test func `A backup is written, and says what is damaged in it`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("By hazel.")
        try rowan.post("By rowan.")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        _ = try node.stop()
        func save(_ name: String) throws -> (code: Int32, rest: String) {
            let file = hazel.folder.file(name)
            let ended = try hazel.run("backup", file)
            let saved = "saved all but the device key in \(file); to come back: scurry restore \(file)\n"
            #expect(ended.err.hasPrefix(saved), "\(ended.err)")
            try TestHome().succeed("restore", file)
            return (ended.code, String(ended.err.dropFirst(saved.count)))
        }
        let sound = try save("sound")
        #expect(sound.code == 0 && sound.rest.isEmpty, "\(sound.rest)")
        try damage(hazel, log: 1)
        let others = try save("others")
        let one = "1 log is not what was signed, and is in the backup as the disk changed it"
        #expect(others.code == 6 && others.rest == "scurry: error: \(one)\nhint: scurry doctor\n", "\(others.rest)")
        try damage(hazel, log: 0)
        let both = try save("both")
        #expect(both.code == 6)
        let all =
            "2 logs, your own among them, are not what was signed, and are in the backup as the disk changed them"
        #expect(both.rest.hasPrefix("scurry: error: \(all)\nhint: scurry doctor; keep older backups"), "\(both.rest)")
    }

    @Test(arguments: [
        ("TABLE targets (", "TABLE targets \"", "is damaged (its table definitions cannot be read)"),
        ("certificate BLOB", "certificatf BLOB", "failed: no such column: logs.certificate"),
    ])
    func `A damaged table definition is one clear line`(sound: String, damaged: String, what: String) throws {
        let hazel = try TestHome(name: "hazel")
        let python = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("PRAGMA writable_schema = ON")
            change = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name IN ('targets', 'logs')"
            c.execute(change, sys.argv[2:4])
            c.commit()
            """
        try Shell.run("python3", "-c", python, hazel.path + "/store.sqlite", sound, damaged)
        expectFailure(try hazel.run("feed"), 1, "the database \(what)", hint: Self.wayOut)
    }
}
