// scurry service remove

import ArgumentParser
import Transport

struct ServiceRemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop the service and remove it; the home stays.",
        usage: "scurry service remove",
        discussion: """
            Example:
              scurry service remove
            """
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        // Works without a home too: the service of a deleted home would start for ever.
        let layout = try HomeDoor.layout(console.environment)
        try Problems.naming { () throws(HomeError) in try layout.checkOwner() }
        let service = try UserService(layout, console.environment)
        switch try service.state() {
        case .absent: throw Failure(.notFoundOrAmbiguous, "there is no service", hint: "scurry service install")
        case .ofAnotherHome:
            throw Failure(
                .refused,
                "\(service.unit.path) runs the node of another home",
                hint: "SCURRY_HOME=DIR scurry service remove, with that home"
            )
        case .ofThisHome: break
        }
        // The file is removed even if systemd does not answer: then nothing starts the service.
        _ = service.systemctl(["disable", "--now", ServiceUnit.name])
        try Problems.naming { () throws(SystemError) in try service.unit.remove() }
        _ = service.systemctl(["daemon-reload"])
        console.tell("the service is removed; the home stays")
    }
}
