import Foundation
import Testing

@testable import scurry

/// Variables and directories that are not UTF-8: none is repaired, since that names another one.
struct EnvironmentTests {
    /// The program in a shell, which makes bytes that no test can; `$1` is the folder.
    private func shell(_ line: String, in folder: ShortFolder) throws -> Spawned.Ended {
        var variables = ScurryProgram.environment(home: folder.file("home"))
        variables["SCURRY_HOME"] = nil
        let process = try Spawned(
            ["-c", line, ScurryProgram.path, folder.path],
            environment: variables,
            program: "/bin/sh"
        )
        process.closeInput()
        return try process.finish()
    }

    @Test(arguments: ["SCURRY_HOME", "XDG_DATA_HOME", "PAGER"])
    func `A variable of the program that is not UTF-8 is named, and nothing is made`(name: String) throws {
        let folder = try ShortFolder()
        let ended = try shell(
            "export \(name)=\"$(printf '%s/x\\377' \"$1\")\"; exec \"$0\" init --hub",
            in: folder
        )
        expectFailure(ended, 1, "the environment variable \(name) is not UTF-8", hint: "unset \(name)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `Other variables may hold anything`() throws {
        let folder = try ShortFolder()
        let ended = try shell(
            "export ODD=\"$(printf 'x\\377')\" SCURRY_HOME=\"$1/home\"; exec \"$0\" init --hub",
            in: folder
        )
        #expect(ended.code == 0, "\(ended.err)")
    }

    @Test func `Child processes get them as they are`() throws {
        let folder = try TemporaryFolder()
        let entry = Array("ODD=x".utf8CString.dropLast()) + [CChar(truncatingIfNeeded: 0xFF), 0]
        let child = try #require(
            ChildProcess(
                script: "printf %s \"$ODD\" > \"$1\"",
                arguments: [folder.file("seen")],
                environment: Environment(["PATH": "/usr/bin:/bin"], illegible: [entry]),
                standardInput: nil
            )
        )
        #expect(child.wait() == .exited(0))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: folder.file("seen")))) == [0x78, 0xFF])
    }

    @Test func `A home behind a directory that is not UTF-8 is refused`() throws {
        let folder = try ShortFolder()
        let directory = "directory=\"$(printf '%s/x\\377' \"$1\")\"; mkdir \"$directory\""
        let linked = try shell(
            "\(directory); ln -s \"$directory\" \"$1/link\"; SCURRY_HOME=\"$1/link/home\" exec \"$0\" init --hub",
            in: folder
        )
        #expect(linked.code == 1, "\(linked.err)")
        #expect(linked.err.hasPrefix("scurry: error: the real path of \(folder.file("link")) is not UTF-8\nhint: "))
        let relative = try shell(
            "cd \"$(printf '%s/x\\377' \"$1\")\" && SCURRY_HOME=home exec \"$0\" init --hub",
            in: folder
        )
        #expect(relative.code == 1, "\(relative.err)")
        #expect(relative.err.hasPrefix("scurry: error: the real path of . is not UTF-8\nhint: "))
        let empty = try shell("ls -A \"$1/link/\"; ls \"$1\" | wc -l", in: folder)
        #expect(empty.out.split(whereSeparator: \.isWhitespace) == ["2"], "\(empty.out)")
    }
}
