import Testing

@testable import Transport

@Suite struct ServiceUnitTests {
    private func lines(running program: String) throws -> [String] {
        let variables = ["SCURRY_HOME": "/srv/one", "HOME": "/home/me"]
        let unit = try ServiceUnit(HomeLayout(environment: { variables[$0] }), environment: { variables[$0] })
        return unit.text(running: program).split(separator: "\n").map(String.init)
    }

    @Test func `It tries again for ever, a minute later, but not what no retry mends`() throws {
        let lines = try lines(running: "/usr/bin/scurry")
        for line in [
            "StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=60", "RestartPreventExitStatus=7 64",
        ] {
            #expect(lines.contains(line), "\(lines)")
        }
    }

    @Test func `It forbids what needs no privileges to be forbidden, and nothing that needs a namespace`() throws {
        let lines = try lines(running: "/usr/bin/scurry")
        for line in [
            "UMask=0077", "NoNewPrivileges=yes", "LockPersonality=yes", "RestrictRealtime=yes",
            "RestrictSUIDSGID=yes", "SystemCallArchitectures=native",
        ] {
            #expect(lines.contains(line), "\(lines)")
        }
        #expect(!lines.contains { $0.hasPrefix("Private") || $0.hasPrefix("Protect") }, "\(lines)")
    }

    /// The path of a program is no text with variables, and `$$` in it names another program.
    @Test func `In the path of the program a dollar stays one, and a percent sign is doubled`() throws {
        let lines = try lines(running: "/opt/a$b 50%/scurry")
        #expect(lines.contains(#"ExecStart="/opt/a$b 50%%/scurry" run"#), "\(lines)")
    }
}
