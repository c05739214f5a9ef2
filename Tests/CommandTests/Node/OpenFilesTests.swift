import Foundation
import Storage
import Testing

@testable import Transport
@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Processes that may have few files open at once.
struct OpenFilesTests {
    /// A command behind `ulimit`.
    private func start(_ limit: String, _ home: TestHome, _ arguments: [String]) throws -> Spawned {
        try Spawned(
            ["-c", "ulimit \(limit) && exec \"$0\" \"$@\"", ScurryProgram.path] + arguments,
            environment: home.environment(),
            program: "/bin/sh"
        )
    }

    @Test(arguments: [15, 20, 63]) func `A node that cannot start says what it needs`(limit: Int) throws {
        let home = try TestHome(name: "hazel")
        try home.folder.write("127.0.0.1:1\n", to: "home/peers")
        for command in [["run", "--listen", "127.0.0.1:0"], ["sync", "--timeout", "1"]] {
            expectFailure(
                try start("-n \(limit)", home, command).finish(),
                1,
                "\(limit) files may be open here at once, and a node needs 64 to start",
                hint: "ulimit -n 1024, in front of the command, or LimitNOFILE=1024 of a service; ulimit -Hn is as far "
                    + "as that goes"
            )
        }
    }

    @Test(arguments: [12, 20, 63]) func `Whoever calls other nodes ends with an error of its own`(limit: Int) throws {
        let home = try TestHome(name: "hazel")
        try home.folder.write("127.0.0.1:1\n", to: "home/peers")
        for command in [["doctor"], ["join", "127.0.0.1:2"]] {
            let ended = try start("-n \(limit)", home, command).finish()
            // A signal ends with more.
            #expect((1..<128).contains(ended.code), "\(command): \(ended.code), \(ended.err)")
        }
        let doctor = try start("-n 63", home, ["doctor", "--json"]).finish()
        #expect(doctor.out.contains("63 files may be open here at once, and a node needs 64"), "\(doctor.out)")
    }

    @Test func `A low limit that may be raised is raised as far as that goes`() throws {
        let home = try TestHome(name: "hazel")
        var limit = rlimit()
        #if canImport(Darwin)
            try #require(getrlimit(RLIMIT_NOFILE, &limit) == 0)
        #else
            try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #endif
        try #require(limit.rlim_max >= 1_024, "too few to tell")
        let node = try start("-Sn 40", home, ["run", "--listen", "127.0.0.1:0"])
        try node.wait(for: "listens on", in: .err)
        #if os(Linux)
            let process = try #require(try home.json("status").first?["process"] as? Int)
            let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
            #expect(limits.contains(#/Max open files +(\d+) +\1 /#), "\(limits)")
        #endif
        #expect(try home.run("post", "through the node").code == 0)
        node.signal(SIGTERM)
        #expect(try node.finish().code == 0)
        #expect(!node.text(.err).contains("ulimit"))
    }

    @Test(arguments: [64, 100]) func `A node with few files starts, and says that callers may wait`(limit: Int) throws {
        let home = try TestHome(name: "hazel")
        let node = try start("-n \(limit)", home, ["run", "--listen", "127.0.0.1:0"])
        try node.wait(for: "\(limit) files may be open at once, all connections take", in: .err)
        try node.wait(for: "listens on", in: .err)
        node.signal(SIGTERM)
        #expect(try node.finish().code == 0)
    }

    @Test func `Too many open files have a hint of their own`() {
        for code in [EMFILE, ENFILE] {
            let error = HomeError.system(SystemError(call: "open", path: "/tmp/home/lock", code: code))
            #expect(Problems.failure(error).hint == Problems.filesHelp)
        }
        #expect(Problems.failure(StorageError.tooManyFiles).hint == Problems.filesHelp)
    }
}
