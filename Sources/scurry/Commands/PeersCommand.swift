// scurry peers [--json]

import ArgumentParser
import Entries
import Transport

struct PeersCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Whom the node talks to, and whom it tries to reach.",
        usage: "scurry peers [--json]",
        discussion: """
            Example:
              scurry peers
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: home.layout.peers) }
        for line in file.badLines {
            console.note("scurry: warning: \(home.layout.peers), line \(line.number): \(line.reason.description)")
        }
        let glance = NodeGlance(of: home)
        let rows = PeerRow.all(file, glance.report)
        switch reading.form {
        case .json:
            for row in rows { try console.out.write(row.object) }
        case .text:
            let look = console.out.look
            if rows.isEmpty { return try console.out.write(EmptyState.noPeers.lines(look)) }
            try console.out.page(rows.flatMap { $0.lines(look, console.clock, glance) })
        }
    }
}
