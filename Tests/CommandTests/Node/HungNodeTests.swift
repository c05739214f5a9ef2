import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A node that stands still, and does not answer: whoever asks hears which process it is, and what to type.
struct HungNodeTests {
    /// A home, and the process of its node, which stands still.
    private func hung() throws -> (home: TestHome, node: TestNode, process: Int) {
        let home = try TestHome(name: "hazel")
        try home.post("a post")
        let node = try TestNode(home)
        let process = try #require(try home.json("status").first?["process"] as? Int)
        node.process.signal(SIGSTOP)
        return (home, node, process)
    }

    @Test func `The status and the doctor name its process, and what wakes it`() throws {
        let (home, node, process) = try hung()
        defer { node.process.signal(SIGCONT) }
        #if os(Linux)
            let (state, help) = ("was suspended", "kill -CONT \(process), or fg in its terminal")
        #else
            let (state, help) = ("runs, and does not answer", "kill \(process), then scurry run")
        #endif
        let status = try home.succeed("status")
        #expect(status.contains(" process \(process) \(state)\n"), "\(status)")
        #expect(status.contains("\n next: \(help)\n"), "\(status)")
        let row = try #require(try home.json("status").first)
        #expect(row["process"] as? Int == process && row["running"] as? Bool == true)
        let doctor = try home.run("doctor", "--json")
        let finding = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "node" })
        #expect(finding["help"] as? String == help)
        #expect(doctor.code == 1)
    }

    #if os(Linux)
        @Test func `Whoever needs its home is told to let it go on`() throws {
            let (home, node, process) = try hung()
            defer { node.process.signal(SIGCONT) }
            for command in [["run", "--listen", "127.0.0.1:0"], ["rebuild"]] {
                expectFailure(
                    try home.run(command),
                    75,
                    "the node of this home does not answer: process \(process) was suspended",
                    hint: "kill -CONT \(process), or fg in its terminal"
                )
            }
        }
    #endif

    @Test func `What may have been written is looked for where it would be shown`() throws {
        let (home, node, process) = try hung()
        defer { node.process.signal(SIGCONT) }
        let id = try #require(try home.json("mine").first?["id"] as? String)
        // Both wait out their patience at once.
        let commands = [(["name", "rowan"], "whoami"), (["vote", "up", id], "vote")].map { ($0.0, "scurry \($0.1)") }
        let running = try commands.map { (try home.start($0.0), $0.1) }
        for (command, reader) in running {
            expectFailure(
                try command.finish(),
                75,
                "the node (process \(process)) does not answer, it may have been written or not",
                hint: "\(reader) shows whether it was, scurry status whether the node answers again"
            )
        }
    }

    @Test func `A synchronisation ends at its timeout, and not at that of a command`() throws {
        let (home, node, _) = try hung()
        defer { node.process.signal(SIGCONT) }
        let begun = ContinuousClock.now
        expectFailure(
            try home.run("sync", "--timeout", "1"),
            75,
            "the node does not answer",
            hint: "scurry status"
        )
        // It ends after 1 s. A command alone would wait 10 s, and this one 11.
        #expect(begun.duration(to: .now) < .seconds(10))
    }
}
