import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A node whose log nobody takes: a full pipe that is not read, or a terminal that was stopped.
struct StalledLogTests {
    /// A node that logs into a full pipe, once it answers.
    private func start(_ home: TestHome, logging log: FullPipe) throws -> Spawned {
        let node = try home.start(["run", "--listen", "127.0.0.1:0"], streams: .errors(to: log.writing))
        try Eventually.holds("the node's answer") {
            // A node that hangs does not say where it listens.
            try home.run("status", "--json").out.contains("\"listening\":\"127.0.0.1:")
        }
        return node
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `A node whose log is a full pipe starts, serves and ends`(signal: Int32) throws {
        let home = try TestHome(name: "hazel")
        let log = try FullPipe()
        let node = try start(home, logging: log)
        #expect(try home.run("post", "a post").code == 0)
        #expect(try home.succeed("status").contains("listens on"))
        node.signal(signal)
        #expect(try node.exitCode() == 0)
    }

    @Test func `What was logged meanwhile is there for whoever reads later`() throws {
        let home = try TestHome(name: "hazel")
        let log = try FullPipe()
        let node = try start(home, logging: log)
        #expect(try log.wait(for: "Ctrl-C ends it\n").contains("listens on 127.0.0.1:"))
        node.signal(SIGTERM)
        #expect(try log.wait(for: " stopped\n").split(separator: "\n").count == 2)
        #expect(try node.exitCode() == 0)
    }

    @Test func `Lines for which there was no room are counted in the log`() throws {
        let home = try TestHome(name: "hazel")
        // Each is a warning at the start, more than wait for a reader.
        let bad = 5_000
        try home.folder.write(String(repeating: "oak:0\n", count: bad), to: "home/peers")
        let log = try FullPipe()
        let node = try start(home, logging: log)
        #expect(try home.run("post", "a post").code == 0)
        let lines = try log.wait(for: "nobody took them\n").split(separator: "\n")
        let notice = try #require(
            lines.last?.wholeMatch(
                of: #/[-\d]{10} \d\d:\d\d warning: (\d+) lines of the log were lost: nobody took them/#
            )
        )
        // Besides the warnings it says where it listens.
        #expect(Int(notice.1).map { $0 + lines.count - 1 } == bad + 1)
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.contains("peers, line \(index + 1): "))
        }
        node.signal(SIGTERM)
        #expect(try log.wait(for: " stopped\n").components(separatedBy: "nobody took them").count == 2)
        #expect(try node.exitCode() == 0)
    }

    @Test func `A node goes on while its terminal is stopped`() throws {
        let (home, other) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let node = try home.start(["run", "--listen", "127.0.0.1:0"], streams: .terminal(columns: 80))
        try node.wait(for: "Ctrl-C ends it")
        let status = try home.answeredStatus()
        let key = try #require(status["node"] as? String)
        try other.succeed("join", "\(key)@\(try #require(status["listening"] as? String))")
        let (stop, start) = ("\u{13}", "\u{11}")
        node.send(stop)
        // Its log tells of this one.
        let synced = try other.run("sync", "--timeout", "60")
        #expect(synced.code == 0, "\(synced.err)")
        #expect(try home.run("post", "a post").code == 0)
        node.send(start)
        try node.wait(for: "connected: ")
        node.send(stop)
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
    }
}
