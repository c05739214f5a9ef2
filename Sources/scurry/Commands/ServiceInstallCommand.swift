// scurry service install

import ArgumentParser
import Transport

struct ServiceInstallCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Write the service, start it, and let it start by itself.",
        usage: "scurry service install",
        discussion: """
            Again after an upgrade it does no harm. What the node logs is read with journalctl --user -u scurry.

            Example:
              scurry service install
            """
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let service = try UserService(home.layout, console.environment)
        guard let program = RunningProgram()?.path else {
            throw Failure(.failure, "this system does not say where scurry is", hint: "scurry run")
        }
        guard service.systemctl(["--version"]).success != nil else { throw Self.withoutSystemd(program, home) }
        if try service.state() == .ofAnotherHome {
            throw Failure(
                .refused,
                "\(service.unit.path) runs the node of another home",
                hint: "rm \(service.unit.path), then scurry service install"
            )
        }
        // A node with invalid settings refuses to start, so a service cannot.
        try Settings(home.layout).check()
        let runs = NodeGlance(of: home).report?.process
        try Problems.naming { () throws(SystemError) in try service.unit.write(running: program) }
        for words in [["daemon-reload"], ["enable", "--now", ServiceUnit.name]] {
            try Self.require(service.systemctl(words), service)
        }
        console.tell("the node runs as your service; what it logs: \(UserService.journalCommand)")
        if let runs, service.answer(to: "is-active") != "active" {
            console.tell("a node ran already (process \(runs)): the service takes over when it ends: kill \(runs)")
        }
        switch service.lingering {
        case .yes: break
        case .no: console.tell("warning: it ends when you log out, unless you allow it: \(UserService.lingerCommand)")
        case .unknown:
            console.tell("warning: it may end when you log out; on most systems \(UserService.lingerCommand) helps")
        }
    }

    private static func require(_ outcome: SystemTool.Outcome, _ service: UserService) throws(Failure) {
        guard case .ended(let code, let text) = outcome, code != 0 else { return }
        let why = text.split(separator: "\n").last ?? "it failed"
        throw Failure(
            .partly,
            "\(service.unit.path) is written, but systemd does not take it: \(String(why))",
            hint: "log in anew, then: systemctl --user enable --now \(ServiceUnit.name)"
        )
    }

    /// The alternative without systemd: cron starts the node at boot.
    private static func withoutSystemd(_ program: String, _ home: Home) -> Failure {
        let line = "@reboot SCURRY_HOME=\(home.layout.data) \(program) run"
        let isOneDirectory = home.layout.data == home.layout.settings
        return Failure(
            .failure,
            "there is no systemd here; nothing was written",
            hint: "(crontab -l; echo '\(isOneDirectory ? line : "@reboot \(program) run")') | crontab -"
        )
    }
}
