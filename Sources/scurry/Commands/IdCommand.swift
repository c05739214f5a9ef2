// scurry id devices|restore|keep|revoke|end

import ArgumentParser

struct IdCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "id",
        abstract: "Your devices, and coming back with the recovery words.",
        usage: "scurry id COMMAND",
        discussion: """
            Each device writes a log of its own under a key that never leaves it. The recovery words certify a new one \
            when a machine is lost, copied, or restored from a backup; they cut off a device, and end the account.

            Example:
              scurry id devices
            """,
        subcommands: [
            IdDevicesCommand.self, IdRestoreCommand.self, IdKeepCommand.self, IdRevokeCommand.self, IdEndCommand.self,
        ],
        defaultSubcommand: IdDevicesCommand.self
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {}
}
