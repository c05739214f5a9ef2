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
        guard service.systemctl(["--version"]).success != nil else {
            throw Self.withoutSystemd(program, service.unit)
        }
        if try service.state() == .ofAnotherHome {
            throw Failure(
                .refused,
                "\(service.unit.path) runs the node of another home",
                hint: "rm \(ShellWord.quoted(service.unit.path)), then scurry service install"
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
        let why: SafeText
        switch outcome {
        case .ended(0, _): return
        case .ended(_, let text): why = SafeText(line: text.split(separator: "\n").last.map(String.init) ?? "it failed")
        // It was there a moment ago.
        case .absent: why = "systemctl cannot be run any more"
        }
        throw Failure(
            .partly,
            "\(service.unit.path) is written, but systemd does not take it: \(why)",
            hint: "log in anew, then: systemctl --user enable --now \(ServiceUnit.name)"
        )
    }

    /// The alternative without systemd: cron starts the node at boot.
    private static func withoutSystemd(_ program: String, _ unit: ServiceUnit) -> Failure {
        let words = unit.variables.map { (name: "\($0.name)=", value: $0.value) } + [(name: "", value: program)]
        // A crontab has no line breaks, and what cannot be shown cannot be copied: then no line is given.
        let isShown = words.allSatisfy { SafeText(line: $0.value).string == $0.value }
        // Cron ends a command at a % without a backslash, and takes the backslash away.
        let command = words.map { "\($0.name)\(ShellWord.quoted($0.value).string)" }.joined(separator: " ")
            .replacing("%", with: "\\%")
        return Failure(
            .failure,
            "there is no systemd here; nothing was written",
            // Not `echo`: in some shells it interprets backslashes.
            hint: isShown
                ? "(crontab -l; printf '%s\\n' \(ShellWord.quoted("@reboot \(command) run"))) | crontab -"
                : "scurry run"
        )
    }
}
