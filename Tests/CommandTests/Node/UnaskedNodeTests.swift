import Foundation
import Testing

/// A node whose control socket is gone: it runs, and no command calls it anything else.
struct UnaskedNodeTests {
    /// A home whose node runs without a socket, and does not get another, since a directory lies in its place.
    private func unasked() throws -> (home: TestHome, node: TestNode, process: Int) {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let process = try #require(try node.status()["process"] as? Int)
        try FileManager.default.removeItem(atPath: home.path + "/control.sock")
        try FileManager.default.createDirectory(atPath: home.path + "/control.sock", withIntermediateDirectories: false)
        return (home, node, process)
    }

    @Test func `The status and the doctor say that it runs, and cannot be asked`() throws {
        let (home, node, process) = try unasked()
        let state = "process \(process) runs, and cannot be asked: its socket was removed"
        let help = "scurry status, in a minute: it makes another; if not, kill \(process), then scurry run"
        let row = try #require(try home.json("status").first)
        #expect(row["process"] as? Int == process && row["running"] as? Bool == true)
        #expect(row["started"] is NSNull)
        let status = try home.run(["status"], ["COLUMNS": "200"]).out
        #expect(status.contains(" \(state)\n") && status.contains("\n next: \(help)\n"), "\(status)")
        let doctor = try home.run("doctor", "--json")
        let finding = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "node" })
        #expect(finding["text"] as? String == state && finding["help"] as? String == help)
        withExtendedLifetime(node) {}
    }

    @Test func `Whoever needs it hears that it is a node`() throws {
        let (home, node, process) = try unasked()
        expectFailure(
            try home.run("run", "--listen", "127.0.0.1:0"),
            75,
            "another node (process \(process)) runs on this home",
            hint: "scurry status"
        )
        expectFailure(try home.run("sync"), 75, "the node does not answer", hint: "scurry status")
        let posted = try home.run("post", "an acorn")
        #expect(posted.code == 75 && posted.err.contains("the node (process \(process)) does not answer"), "\(posted)")
        #expect(posted.err.contains("hint: kill \(process), then try again\n"), "\(posted)")
        // What it says helps.
        #expect(try node.stop() == 0)
        #expect(try home.run("status", "--json").out.contains("\"running\":false"))
        try home.post("an acorn")
    }
}
