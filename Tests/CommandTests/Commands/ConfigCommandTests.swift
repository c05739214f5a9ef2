import Foundation
import Testing

/// `config`, and who heeds it.
struct ConfigCommandTests {
    private func file(_ home: TestHome) -> String { home.path + "/config" }

    private func write(_ text: String, _ home: TestHome) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(home)))
    }

    private func read(_ home: TestHome) throws -> String { try String(contentsOfFile: file(home), encoding: .utf8) }

    @Test func `Without a file everything has its default`() throws {
        let home = try TestHome(name: "hazel")
        let text = try home.succeed("config")
        for (name, value) in [("listen", ":7776 (default)"), ("color", "auto (default)"), ("file", file(home))] {
            let line = " \(name.padding(toLength: "disk-budget".count, withPad: " ", startingAt: 0))  \(value)\n"
            #expect(text.contains(line), "\(text)")
        }
        let rows = try home.json("config")
        #expect(
            rows.compactMap { $0["id"] as? String } == [
                "listen", "dial", "exchange", "discover", "carry", "disk-budget", "log", "color",
            ]
        )
        #expect(rows.allSatisfy { $0["set"] as? Bool == false && $0["line"] is NSNull })
        #expect(try home.succeed("config", "listen") == ":7776\n")
        #expect(!FileManager.default.fileExists(atPath: file(home)))
    }

    @Test func `What is set is shown, and the file explains itself and is closed to others`() throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.told("config", "listen", ":7777") == "listen is :7777")
        #expect(try home.succeed("config", "listen") == ":7777\n")
        let text = try read(home)
        #expect(text.hasPrefix("# Settings of scurry"))
        #expect(text.contains("\n# log: what the node logs: error, warning, notice, info or debug (notice)\n"))
        #expect(text.hasSuffix("\nlisten = :7777\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file(home))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!names.contains { $0.contains(".new-") })
    }

    @Test func `A change leaves comments, order and lines that mean nothing here`() throws {
        let home = try TestHome(name: "hazel")
        let before = "# mine\n\n  listen=:1   # the old port\nfuture = yes\nnot a setting\nlog = info\n"
        try write(before, home)
        try home.succeed("config", "listen", "127.0.0.1:0")
        #expect(try read(home) == before.replacing(":1 ", with: "127.0.0.1:0 "))
        try home.succeed("config", "dial", "off")
        #expect(try read(home) == before.replacing(":1 ", with: "127.0.0.1:0 ") + "dial = off\n")
        try home.succeed("config", "--unset", "dial")
        try home.succeed("config", "--unset", "listen")
        #expect(try read(home) == "# mine\n\nfuture = yes\nnot a setting\nlog = info\n")
        #expect(try home.told("config", "--unset", "future") == "future is out of the file")
        #expect(try home.told("config", "--unset", "listen") == "listen was not set")
    }

    @Test func `A key that is no setting has its line, too, when it is taken out of the file`() throws {
        let home = try TestHome(name: "hazel")
        try write("future = yes\n", home)
        let ended = try home.run("config", "--unset", "future", "--json")
        #expect(ended.code == 0 && ended.err.isEmpty, "\(ended)")
        #expect(ended.out == #"{"id":"future","value":null,"set":false,"line":null}"# + "\n")
        #expect(try JSONPage().faults(in: ended.out, of: "scurry config --unset KEY").isEmpty)
        #expect(try !read(home).contains("future"))
    }

    @Test(arguments: [
        (["config", "lisen", ":1"], "there is no setting lisen", "did you mean: scurry config listen"),
        (["config", "--unset", "port"], "there is no setting port", "scurry config"),
        (
            ["config", "listen", "a:b"], "a:b is no address to listen on: a port is a number from 0 to 65535",
            "scurry config listen :7776"
        ),
        (["config", "dial", "maybe"], "maybe is no value of dial: it takes on or off", "scurry config dial on"),
        (
            ["config", "carry", "someone"],
            "someone is no value of carry: it takes everything, following, or whole ids with commas between",
            "scurry config carry everything"
        ),
        (
            ["config", "log", "loud"],
            "loud is no value of log: it takes error, warning, notice, info or debug", "scurry config log notice"
        ),
        (
            ["config", "color", ""], "nothing is no value of color: it takes auto, always or never",
            "scurry config color auto"
        ),
        (
            ["config", "listen", "--unset", "dial"], "--unset takes the setting, and nothing besides",
            "scurry config -h"
        ),
    ])
    func `What cannot be set is a usage error, and nothing is changed`(
        arguments: [String],
        message: String,
        hint: String
    ) throws {
        let home = try TestHome(name: "hazel")
        try write("log = info\n", home)
        expectFailure(try home.run(arguments), 64, message, hint: hint)
        #expect(try read(home) == "log = info\n")
    }

    @Test func `Ids that come on several lines are one setting on one line`() throws {
        let home = try TestHome(name: "hazel")
        let id = try #require(try home.json("whoami").first?["id"] as? String)
        try home.succeed("config", "carry", "\(id),\n \(id)")
        #expect(try read(home).hasSuffix("\ncarry = \(id),\(id)\n"))
        #expect(try TestNode(home).stop() == 0)
        let before = try read(home)
        for (key, value) in [("listen", ":7777\n"), ("dial", "on\noff"), ("disk-budget", "500M\r"), ("log", "info\n")] {
            #expect(try home.run("config", key, value).code == 64, "\(key)")
        }
        #expect(try read(home) == before)
    }

    @Test(arguments: [
        ("# fine\nlisen = :1\n", 2, "there is no setting lisen", "scurry config --unset lisen"),
        ("dial = maybe\n", 1, "maybe is no value of dial: it takes on or off", "scurry config dial on"),
        ("dial =\n", 1, "nothing is no value of dial: it takes on or off", "scurry config dial on"),
        ("\n\nlog info\n", 3, "this is neither a comment nor KEY = VALUE", "scurry config -h"),
        (
            "log = info\nlog = info\n", 2, "log is set in line 1 already",
            "scurry config log VALUE leaves one of them"
        ),
    ])
    func `A fault of the file is named by its line, and the node does not start`(
        text: String,
        line: Int,
        why: String,
        hint: String
    ) throws {
        let home = try TestHome(name: "hazel")
        try write(text, home)
        let message = "\(file(home)), line \(line): \(why)"
        // Of which a service knows that no retry mends it.
        expectFailure(try home.run("run"), 64, message, hint: hint)
        let shown = try home.run("config")
        #expect(shown.code == 64)
        #expect(shown.err == "scurry: error: \(message)\nhint: \(hint)\n")
        #expect(shown.out.contains(" listen "))
        #expect(try read(home) == text)
        // Whoever only reads is not held up.
        #expect(try home.run("feed").code == 0)
    }

    @Test func `A file that is no text says so`() throws {
        let home = try TestHome(name: "hazel")
        let path = home.path + "/config"
        try Data([0xFF, 0xFE, 0x0A]).write(to: URL(fileURLWithPath: path))
        expectFailure(
            try home.run("config"),
            1,
            "\(path) is not UTF-8 text",
            hint: "grep -naxv '.*' \(path) shows the lines that are none, in a UTF-8 locale"
        )
    }

    @Test func `What the command line gives wins over a fault of the file, and every other fault is named`() throws {
        let home = try TestHome(name: "hazel")
        try write("listen = nowhere:at:all\nlog = loud\n", home)
        let node = try TestNode(home, "--log", "error")
        #expect(try node.stop() == 0)
        try write("listen = nowhere:at:all\ndial = maybe\nnosuch = 1\n", home)
        let ended = try home.run("run", "--listen", "127.0.0.1:0")
        #expect(ended.code == 64)
        #expect(
            ended.err == """
                scurry: error: \(file(home)), line 2: maybe is no value of dial: it takes on or off
                  line 3: there is no setting nosuch: scurry config --unset nosuch
                hint: scurry config dial on

                """
        )
        let doctor = try JSONLines.parse(home.run("doctor", "--json").out).first { $0["id"] as? String == "settings" }
        let text = try #require(doctor?["text"] as? String)
        #expect(text.contains(", line 1: ") && text.contains("; line 2: ") && text.contains("; line 3: "), "\(text)")
    }

    @Test func `Of two lines of one key a change leaves one`() throws {
        let home = try TestHome(name: "hazel")
        try write("log = info\n# between\nlog = error\n", home)
        try home.succeed("config", "log", "debug")
        #expect(try read(home) == "log = debug\n# between\n")
    }

    @Test func `What is not text stays as it is`() throws {
        let home = try TestHome(name: "hazel")
        let bytes = Data([0x23, 0xFF, 0x0A])
        try bytes.write(to: URL(fileURLWithPath: file(home)))
        #expect(try home.run("config", "log", "info").code == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file(home))) == bytes)
    }

    @Test func `A node listens where the file says, unless the command line says otherwise`() throws {
        let home = try TestHome(name: "hazel")
        try home.succeed("config", "listen", "127.0.0.1:0")
        let plain = try home.start(["run"])
        try plain.wait(for: "listens on 127.0.0.1:", in: .err)
        #expect(
            try home.told("config", "log", "info") == "log is info; the node takes it when it starts again"
        )
        #expect(try home.told("config", "color", "never") == "color is never")
        plain.signal(SIGTERM)
        #expect(try plain.exitCode() == 0)
        try home.succeed("config", "listen", "192.0.2.1:7")
        let refused = try home.run("run")
        #expect(refused.err.contains("192.0.2.1 is no address of this machine"))
        #expect(try TestNode(home).stop() == 0)
    }

    @Test func `Calling, exchanging and logging are as the file says, unless the command line says otherwise`() throws {
        let home = try TestHome(name: "hazel")
        try Data("no-such-host.invalid\n".utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        try write("dial = off\n", home)
        let quiet = try TestNode(home)
        #expect(try home.json("peers").first?["state"] as? String == "unknown")
        #expect(try quiet.stop() == 0)
        let calling = try TestNode(home, "--dial")
        try calling.process.wait(for: "no-such-host.invalid:7776: ", in: .err)
        #expect(try calling.stop() == 0)
        try write("log = error\n", home)
        let still = try TestNode(home)
        try Eventually.holds("a failed call") { (try home.json("peers").first?["failures"] as? Int ?? 0) > 0 }
        #expect(try still.stop() == 0)
        #expect(!still.process.text(.err).contains("no-such-host"))
        let telling = try TestNode(home, "--log", "info", "--no-exchange")
        try telling.process.wait(for: "no-such-host.invalid:7776: ", in: .err)
    }

    @Test func `Colours are as the file says, unless the command line says otherwise`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("An acorn.")
        try home.succeed("config", "color", "always")
        #expect(try home.succeed("feed").contains("\u{1B}["))
        #expect(try home.run("show", "7777").err.contains("\u{1B}["))
        #expect(try !home.succeed("feed", "--color", "never").contains("\u{1B}["))
    }

    @Test func `Before there is a home it can be set`() throws {
        let home = try TestHome()
        try home.succeed("config", "listen", ":7777")
        try home.succeed("init", "--hub")
        #expect(try home.succeed("config", "listen") == ":7777\n")
    }
}
