import Foundation
import Testing

/// Homes whose path is too long for a socket's name.
struct DeepHomeTests {
    private let folder: ShortFolder
    private var path: String { folder.file(String(repeating: "d", count: 110)) }

    init() throws {
        folder = try ShortFolder()
    }

    private func run(_ home: String, _ arguments: String...) throws -> Spawned.Ended {
        let process = try Spawned(
            arguments,
            environment: ScurryProgram.environment(home: home, ["XDG_RUNTIME_DIR": folder.path])
        )
        process.closeInput()
        return try process.finish()
    }

    @Test func `It is made with its name, and written in, before a node ran`() throws {
        let made = try run(path, "init", "--name", "hazel", "--words-to", folder.file("words"))
        #expect(made.code == 0, "\(made.err)")
        #expect(try run(path, "whoami").out.contains("hazel"))
        #expect(try run(path, "post", "an acorn").code == 0)
        #expect(try run(path, "feed").out.contains("node not running") || run(path, "feed").out.contains("no peers"))
    }

    @Test func `A copy of it does not write through the original's node`() throws {
        #expect(try run(path, "init", "--name", "hazel", "--words-to", folder.file("words")).code == 0)
        let node = try Spawned(
            ["run", "--listen", "127.0.0.1:0"],
            environment: ScurryProgram.environment(home: path, ["XDG_RUNTIME_DIR": folder.path])
        )
        try node.wait(for: "listens on", in: .err)
        #expect(try run(path, "post", "through the node").err.hasPrefix("posted"))
        let copy = folder.file("copy")
        try Shell.run("cp", "-a", path, copy)
        let refused = try run(copy, "post", "of the copy")
        #expect(refused.code == 7, "\(refused.err)")
        #expect(try !run(path, "feed").out.contains("of the copy"))
        #expect(try run(copy, "status", "--json").out.contains("\"running\":false"))
        node.signal(15)
        #expect(try node.exitCode() == 0)
    }

    @Test func `Where the directory for sockets is too deep as well the node runs all the same`() throws {
        let variables = ["XDG_RUNTIME_DIR": folder.file(String(repeating: "r", count: 90))]
        let environment = ScurryProgram.environment(home: path, variables)
        #expect(try run(path, "init", "--name", "hazel", "--words-to", folder.file("words")).code == 0)
        let node = try Spawned(["run", "--listen", "127.0.0.1:0"], environment: environment)
        try node.wait(for: "listens on", in: .err)
        let posted = try Spawned(["post", "through the node"], environment: environment).finish()
        #expect(posted.code == 0 && posted.err.hasPrefix("posted") && !posted.err.contains("saved"), "\(posted.err)")
        node.signal(15)
        #expect(try node.exitCode() == 0)
    }
}
