// scurry whoami [--json]

import ArgumentParser
import Entries
import Sodium
import Storage
import Transport

struct WhoamiCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Who you are here: name, tag, ids, network, home.",
        usage: "scurry whoami [--json]",
        discussion: """
            Example:
              scurry whoami --json
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        let keys = try Problems.naming { () throws(HomeError) in try desk.home.keys() }
        let entry = desk.own.map { desk.book[$0] }
        let log = try Problems.naming { () throws(StorageError) in try desk.store.ownLog() }
        // Another log's key is not what this home is.
        let device = keys.certificate.flatMap { $0.log == log ? $0.certificate.device : nil }
        let stop = try desk.signingStop()
        switch reading.form {
        case .json:
            try console.out.write(
                JSONObject([
                    "id": .optional(desk.own?.description),
                    "name": .optional(entry?.name),
                    "tag": .optional(entry?.tag),
                    "device": .optional(device?.description),
                    "log": .optional(log?.description),
                    "node": .string(keys.nodeID.description),
                    "network": .string(desk.home.networkName),
                    "private": .bool(desk.home.access == .withSecret),
                    "home": .string(desk.home.layout.data),
                    "passphrase_set": .bool(keys.hasPassphrase),
                    "locked": .bool(keys.isLocked),
                    "signing_stop": .optional(stop?.rawValue),
                ])
            )
        case .text:
            let look = console.out.look
            var heading = StyledLine(" ")
            if let entry {
                heading.add(entry.shownName, .bold)
                heading.add(" ~\(entry.tag)", .dim)
            } else {
                heading.add("a hub, without a person", .bold)
            }
            var facts: [Facts.Fact] = [
                .init(
                    "network",
                    desk.home.access == .open ? "\(desk.home.networkName)" : "\(desk.home.networkName), private"
                )
            ]
            if let own = desk.own { facts.append(.init("id", SafeText(line: own.description))) }
            if let device { facts.append(.init("device", SafeText(line: device.description))) }
            if let log { facts.append(.init("log", SafeText(line: log.description))) }
            facts.append(.init("node", SafeText(line: keys.nodeID.description)))
            facts.append(.init("home", SafeText(line: desk.home.layout.data)))
            if let state = keys.state(of: desk) { facts.append(.init("key", state)) }
            if let stop { facts.append(.init("signing", stop.state(desk.stopReport(stop)))) }
            try console.out.write([heading] + Facts(facts).lines(look))
        }
    }
}

extension HomeKeys {
    /// The public half of the node's key.
    var nodeID: NodeID { NodeID(raw: node.publicKey) }

    var hasPassphrase: Bool {
        switch person {
        case .locked, .open(_, .passphrase): true
        case .none, .open(_, .none): false
        }
    }

    var isLocked: Bool {
        switch person {
        case .locked: true
        case .none, .open: false
        }
    }

    /// State of the device key; nil if it is there and has no passphrase.
    func state(of desk: ReadingDesk) -> SafeText? {
        if case .none = person, desk.own != nil { return "missing: scurry id restore, with the recovery words" }
        return lockState
    }

    /// State of the passphrase; nil if none is set.
    var lockState: SafeText? {
        switch person {
        case .none, .open(_, .none): nil
        case .open(_, .passphrase): "unlocked until scurry lock, or the machine's restart"
        case .locked: "locked: scurry unlock"
        }
    }
}
