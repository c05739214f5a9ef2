// scurry id devices [--json]

import ArgumentParser
import Entries
import Storage

struct IdDevicesCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List your devices, the latest first: each writes a log of its own.",
        usage: "scurry id devices [--json]",
        discussion: """
            Shows what this node knows: a device that has never met it is missing.

            Example:
              scurry id devices
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let rows = try Problems.naming { () throws(StorageError) in try desk.store.devices(of: own).reversed() }
        switch reading.form {
        case .json:
            for row in rows {
                try console.out.write(
                    JSONObject([
                        "id": .string(row.log.description),
                        "device": .string(row.device.description),
                        "serial": .unsigned(row.serial),
                        "since": .string(TimeText.rfc3339(row.serial)),
                        "entries": .unsigned(row.size),
                        "last_written": .optional(row.lastTime.map(TimeText.rfc3339)),
                        "own": .bool(row.ownership == .own),
                        "standing": .string(IdDevicesCommand.word(row.standing)),
                        "counted_to": IdDevicesCommand.end(row.standing).map { .unsigned($0) } ?? .null,
                    ])
                )
            }
        case .text:
            let shorts = ShortID.prefixes(of: rows.map(\.log.description))
            try console.out.page(zip(rows, shorts).flatMap { row, short in lines(row, short, console) })
        }
    }

    private func lines(_ row: DeviceView, _ short: String, _ console: Console) -> [StyledLine] {
        var heading = StyledLine(" ")
        heading.add(SafeText(line: short), .bold)
        if row.ownership == .own { heading.add("  this device") }
        if row.standing != .writing {
            let end = IdDevicesCommand.end(row.standing).map {
                " after \(Amount.of(Int(clamping: $0), "entry", "entries"))"
            }
            heading.add("  \(IdDevicesCommand.word(row.standing).replacing("_", with: " "))\(end ?? "")")
        }
        let written: SafeText =
            row.lastTime.map {
                "\(Amount.of(Int(clamping: row.size), "entry", "entries")), last \(console.clock.short($0))"
            }
            ?? "nothing written"
        let text: SafeText = "since \(console.clock.short(row.serial)), \(written)"
        return [heading]
            + Wrap.lines(text, width: console.out.look.width, prefix: "   ").map { StyledLine($0, .dim) }
    }

    private static func word(_ standing: DeviceView.Standing) -> String {
        switch standing {
        case .writing: "writing"
        case .settled: "cut_off"
        case .settling: "cut_off_incomplete"
        case .forked: "forked"
        case .notCarried: "not_carried"
        }
    }

    /// How many entries count at the most.
    private static func end(_ standing: DeviceView.Standing) -> UInt64? {
        switch standing {
        case .settled(let size), .settling(let size), .forked(let size): size
        case .writing, .notCarried: nil
        }
    }
}
