// scurry service status [--json]

import ArgumentParser
import Transport

struct ServiceStatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Whether there is a service, whether it runs, and whether it survives log-out.",
        usage: "scurry service status [--json]",
        discussion: """
            Example:
              scurry service status
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let service = try UserService(HomeDoor.layout(console.environment), console.environment)
        let state = try service.state()
        let isHere: Bool
        switch state {
        case .ofThisHome: isHere = true
        case .absent, .ofAnotherHome: isHere = false
        }
        let enabled = isHere ? service.answer(to: "is-enabled") : nil
        let active = isHere ? service.answer(to: "is-active") : nil
        let lingering = service.lingering
        switch reading.form {
        case .json:
            try console.out.write(
                JSONObject([
                    "id": .string(ServiceUnit.name),
                    "installed": .bool(isHere),
                    "unit": .string(service.unit.path),
                    "enabled": .optional(enabled),
                    "active": .optional(active),
                    "linger": .string(lingering.rawValue),
                ])
            )
        case .text:
            var facts: [Facts.Fact] = []
            switch state {
            case .absent: facts.append(.init("service", "none: scurry service install"))
            case .ofAnotherHome: facts.append(.init("service", "none; \(service.unit.path) runs another home"))
            case .ofThisHome:
                facts.append(.init("service", "\(service.unit.path)"))
                facts.append(.init("systemd", "\(enabled ?? "unknown"), \(active ?? "unknown")"))
            }
            let log: SafeText =
                switch lingering {
                case .yes: "does not end the service"
                case .no: "ends the service; to let it run: \(UserService.lingerCommand)"
                case .unknown: "unknown whether it ends the service"
                }
            facts.append(.init("log-out", log))
            try console.out.write(Facts(facts).lines(console.out.look))
        }
    }
}
