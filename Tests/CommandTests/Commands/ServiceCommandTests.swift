import Foundation
import Testing

/// `service`, with tools that only pretend.
struct ServiceCommandTests {
    private let home: TestHome
    private let tools: FakeTools
    private let variables: [String: String]
    private var unit: String { home.folder.file("xdg/systemd/user/scurry.service") }

    init() throws {
        home = try TestHome(name: "hazel")
        tools = try FakeTools()
        variables = ["PATH": tools.path, "XDG_CONFIG_HOME": home.folder.file("xdg")]
    }

    private func run(_ arguments: String..., more: [String: String] = [:]) throws -> Spawned.Ended {
        try home.run(["service"] + arguments, variables.merging(more) { $1 })
    }

    @Test func `A service is written, started, and removed`() throws {
        try tools.putSystemd(linger: "yes")
        let installed = try run("install")
        #expect(installed.code == 0)
        #expect(
            installed.err == "the node runs as your service; what it logs: journalctl --user -u scurry\n"
        )
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        for line in [
            "ExecStart=\"\(ScurryProgram.path)\" run", "Environment=\"SCURRY_HOME=\(home.path)\"",
            "Restart=on-failure", "WantedBy=default.target",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(text)")
        }
        #expect(!text.contains("XDG_CONFIG_HOME"), "\(text)")
        let calls = try tools.take()
        #expect(calls.contains("systemctl --user daemon-reload"))
        #expect(calls.contains("systemctl --user enable --now scurry.service"))
        #expect(calls.contains("loginctl show-user \(getuid()) --property=Linger"))
        #expect(try run("install").code == 0)
        let row = try #require(try JSONLines.parse(run("status", "--json").out).first)
        #expect(row["installed"] as? Bool == true && row["enabled"] as? String == "enabled")
        #expect(row["active"] as? String == "active" && row["linger"] as? String == "yes")
        _ = try tools.take()
        #expect(try run("remove").err == "the service is removed; the home stays\n")
        #expect(!FileManager.default.fileExists(atPath: unit))
        #expect(
            try tools.take() == ["systemctl --user disable --now scurry.service", "systemctl --user daemon-reload"]
        )
        expectFailure(try run("remove"), 3, "there is no service", hint: "scurry service install")
        #expect(try home.json("feed").isEmpty)
    }

    @Test(arguments: [
        ("echo Linger=no", "warning: it ends when you log out, unless you allow it: loginctl enable-linger\n"),
        (
            "echo 'Failed to get user: User ID 1 is not logged in or lingering' >&2; exit 1",
            "warning: it ends when you log out, unless you allow it: loginctl enable-linger\n"
        ),
        (
            "echo 'Failed to connect to bus' >&2; exit 1",
            "warning: it may end when you log out; on most systems loginctl enable-linger helps\n"
        ),
    ])
    func `A log-out that would end it is told, with the one command`(script: String, warning: String) throws {
        try tools.putSystemd(linger: "")
        try tools.put("loginctl", script)
        let installed = try run("install")
        #expect(installed.code == 0)
        #expect(installed.err.hasSuffix("\n" + warning))
        let status = try run("status")
        #expect(status.code == 0)
        #expect(status.out.contains(" service  \(unit)\n"))
    }

    @Test func `Without systemd it says what to run instead, and writes nothing`() throws {
        let bare = ["PATH": home.folder.path]
        let ended = try run("install", more: bare)
        expectFailure(
            ended,
            1,
            "there is no systemd here; nothing was written",
            hint: cron("SCURRY_HOME=\(home.path) XDG_STATE_HOME=\(home.path)-state")
        )
        #expect(!FileManager.default.fileExists(atPath: unit))
        #expect(try run("status", more: bare).out.contains(" none: scurry service install\n"))
    }

    /// The command that gives cron a line; nothing in it is quoted but the line.
    private func cron(_ variables: String) -> String {
        "(crontab -l; printf '%s\\n' '@reboot \(variables) \(ScurryProgram.path) run') | crontab -"
    }

    @Test func `The line for cron starts the node of this home, whatever its name is`() throws {
        let bare = ["PATH": home.folder.path]
        let odd = bare.merging(["SCURRY_HOME": home.folder.file("50% my 'home")]) { $1 }
        try #require(try home.run(["init", "--hub"], odd).code == 0)
        let ended = try run("install", more: odd)
        let hint = try #require(ended.err.split(separator: "\nhint: ").last).trimmingCharacters(in: .newlines)
        // Typed as it stands, with a crontab that keeps what it is given; then run as cron does.
        try tools.put("crontab", "[ \"$1\" != - ] || cat > \"$KEPT\"")
        let kept = home.folder.file("kept")
        let variables = ["PATH": tools.path + ":/usr/bin:/bin", "KEPT": kept]
        let shell = { try Spawned(["-c", $0], environment: variables, program: "/bin/sh").finish() }
        #expect(try shell(hint).code == 0)
        let line = try #require(try home.folder.read("kept").split(separator: "\n").last)
        #expect(line.hasPrefix("@reboot ") && line.hasSuffix(" \(ScurryProgram.path) run"), "\(line)")
        let command = line.dropFirst("@reboot ".count).dropLast(ScurryProgram.path.count + " run".count)
        let shown = try shell(String(command).replacing("\\%", with: "%") + "printenv SCURRY_HOME")
        #expect(shown.out == home.folder.file("50% my 'home") + "\n", "\(line)")
        let broken = bare.merging(["SCURRY_HOME": home.folder.file("two\nlines")]) { $1 }
        try #require(try home.run(["init", "--hub"], broken).code == 0)
        #expect(try run("install", more: broken).err.hasSuffix("\nhint: scurry run\n"))
    }

    @Test func `The line for cron has the directories that select the home`() throws {
        let usual = try TestHome()
        let places = ["SCURRY_HOME": "", "PATH": usual.folder.path, "XDG_DATA_HOME": usual.folder.file("data")]
        try #require(try usual.run(["init", "--hub"], places).code == 0)
        let variables = "XDG_DATA_HOME=\(usual.folder.file("data")) XDG_STATE_HOME=\(usual.path)-state"
        #expect(try usual.run(["service", "install"], places).err.hasSuffix("\nhint: \(cron(variables))\n"))
    }

    @Test func `A systemd that cannot be run a second time is told, and the unit stays`() throws {
        try tools.putSystemd(linger: "yes")
        // A shell's exit code for a program that is not there.
        try tools.put("systemctl", "[ \"$2\" = --version ] || exit 127")
        expectFailure(
            try run("install"),
            6,
            "\(unit) is written, but systemd does not take it: systemctl cannot be run any more",
            hint: "log in anew, then: systemctl --user enable --now scurry.service"
        )
    }

    @Test func `A systemd that does not answer is told, and the unit stays`() throws {
        try tools.putSystemd(linger: "no")
        try tools.put(
            "systemctl",
            "[ \"$2\" = --version ] || { echo 'Failed to connect to bus: No medium found' >&2; exit 1; }"
        )
        expectFailure(
            try run("install"),
            6,
            "\(unit) is written, but systemd does not take it: Failed to connect to bus: No medium found",
            hint: "log in anew, then: systemctl --user enable --now scurry.service"
        )
        #expect(FileManager.default.fileExists(atPath: unit))
    }

    @Test func `The service of another home is left alone`() throws {
        try tools.putSystemd(linger: "yes")
        #expect(try run("install").code == 0)
        let other = try TestHome(name: "rowan")
        for command in ["install", "remove"] {
            let ended = try other.run(["service", command], variables)
            #expect(ended.code == 7)
            #expect(ended.err.hasPrefix("scurry: error: \(unit) runs the node of another home\n"))
        }
        #expect(try run("status").out.contains(unit))
        #expect(try other.run(["service"], variables).out.contains("none; "))
    }

    @Test func `A variable that selects no home here makes no other home of it`() throws {
        try tools.putSystemd(linger: "yes")
        #expect(try run("install").code == 0)
        let more = ["XDG_DATA_HOME": home.folder.file("anything")]
        #expect(try run("status", more: more).out.contains(" service  \(unit)\n"))
        #expect(try run("install", more: more).code == 0)
        // As an earlier version wrote it.
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        try Data((text + "Environment=\"XDG_DATA_HOME=/elsewhere\"\n").utf8).write(to: URL(fileURLWithPath: unit))
        #expect(try run("status").out.contains(" service  \(unit)\n"))
        #expect(try run("remove", more: more).err == "the service is removed; the home stays\n")
    }

    @Test func `The usual place of a home may be said or not`() throws {
        try tools.putSystemd(linger: "yes")
        let usual = try TestHome()
        let unsaid = ["SCURRY_HOME": "", "PATH": tools.path]
        let said = unsaid.merging(["XDG_CONFIG_HOME": usual.path + "/.config"]) { $1 }
        let other = unsaid.merging(["XDG_DATA_HOME": usual.folder.file("data")]) { $1 }
        try #require(try usual.run(["init", "--hub"], unsaid).code == 0)
        for (before, after) in [(unsaid, said), (said, unsaid)] {
            #expect(try usual.run(["service", "install"], before).code == 0)
            for (variables, isHere) in [(before, true), (after, true), (other, false)] {
                let status = try usual.run(["service", "status", "--json"], variables)
                #expect(try JSONLines.parse(status.out).first?["installed"] as? Bool == isHere)
            }
            #expect(try usual.run(["service", "remove"], other).code == 7)
            #expect(try usual.run(["service", "remove"], after).code == 0)
        }
    }

    @Test func `A home with a name that systemd would take apart is known again`() throws {
        try tools.putSystemd(linger: "yes")
        let odd = ["SCURRY_HOME": home.folder.file("a \"b\" 50% \\n=$c")]
        try #require(try home.run(["init", "--hub"], odd).code == 0)
        #expect(try run("install", more: odd).code == 0)
        #expect(try run("status", more: odd).out.contains(" service  \(unit)\n"))
        #expect(try run("remove").code == 7)
        #expect(try run("remove", more: odd).code == 0)
    }

    @Test func `Settings that a node refuses are told before anything is written`() throws {
        try tools.putSystemd(linger: "yes")
        try Data("dial = maybe\n".utf8).write(to: URL(fileURLWithPath: home.path + "/config"))
        #expect(try run("install").err.hasPrefix("scurry: error: \(home.path)/config, line 1: maybe"))
        #expect(!FileManager.default.fileExists(atPath: unit))
    }

    @Test func `A node that runs already is told`() throws {
        try tools.putSystemd(linger: "yes")
        try tools.put("systemctl", "[ \"$2\" != is-active ] || { echo activating; exit 3; }")
        let node = try TestNode(home)
        let process = try #require(try home.json("status").first?["process"] as? Int)
        #expect(
            try run("install").err.hasSuffix(
                "a node ran already (process \(process)): the service takes over when it ends: kill \(process)\n"
            )
        )
        _ = node
    }
}
