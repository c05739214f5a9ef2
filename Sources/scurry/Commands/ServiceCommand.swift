// scurry service install|remove|status

import ArgumentParser

struct ServiceCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Run the node as a service of yours, by systemd.",
        usage: "scurry service install|remove|status",
        discussion: """
            A service begins with your first session, or with the machine where your services may linger, and starts \
            again if it fails. It needs no root.

            Example:
              scurry service install
            """,
        subcommands: [ServiceInstallCommand.self, ServiceRemoveCommand.self, ServiceStatusCommand.self],
        defaultSubcommand: ServiceStatusCommand.self
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {}
}
