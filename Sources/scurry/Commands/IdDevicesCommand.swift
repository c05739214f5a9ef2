// scurry id devices [DEVICE] [-n N] [--json]

import ArgumentParser
import Entries
import Storage

struct IdDevicesCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List your devices, the latest first: each writes a log of its own.",
        usage: "scurry id devices [DEVICE] [-n N] [--json]",
        discussion: """
            Shows what this node knows: a device that has never met it is missing. With a device, its latest posts, the \
            last one first, each with its place in the device's log: where to cut it off, if somebody else wrote the \
            later ones.

            Example:
              scurry id devices
              scurry id devices k7fa
            """
    )

    @Argument(
        help: ArgumentHelp("A device, to list its posts: the first letters of its id.", valueName: "device")
    )
    var device: DeviceArgument?

    @Option(
        name: .customShort("n", allowingJoined: true),
        help: ArgumentHelp("With a device: its latest N posts. (default: 10)", valueName: "n")
    )
    var count: Int?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func validate() throws {
        guard let count else { return }
        guard device != nil else { throw ValidationError("-n belongs to a device: scurry id devices DEVICE -n 20") }
        guard (1...StorageLimits.feedPagePosts).contains(count) else {
            throw ValidationError(UsageProblem.count())
        }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let rows = try Problems.naming { () throws(StorageError) in try Array(desk.store.devices(of: own).reversed()) }
        if let device {
            let (row, short) = try device.resolve(among: rows)
            return try DevicePosts(device: row, short: short, desk: desk).write(
                atMost: count ?? 10,
                heading: lines(row, short.string, console),
                reading.form,
                on: console
            )
        }
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
                        "standing": .string(IdDevicesCommand.word(row.state)),
                        "counted_to": IdDevicesCommand.end(row.state).map { .unsigned($0) } ?? .null,
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
        if row.state != .writing {
            let end = IdDevicesCommand.end(row.state).map {
                " after \(Amount.of(Int(clamping: $0), "entry", "entries"))"
            }
            heading.add("  \(IdDevicesCommand.word(row.state).replacing("_", with: " "))\(end ?? "")")
        }
        let written: SafeText =
            row.lastTime.map {
                "\(Amount.of(Int(clamping: row.size), "entry", "entries")), last \(console.clock.short($0))"
            }
            ?? (row.state == .ended ? "nothing of it counts" : "nothing written")
        let text: SafeText = "since \(console.clock.short(row.serial)), \(written)"
        return [heading]
            + Wrap.lines(text, width: console.out.look.width, prefix: "   ").map { StyledLine($0, .dim) }
    }

    private static func word(_ state: DeviceView.State) -> String {
        switch state {
        case .writing: "writing"
        case .settled: "cut_off"
        case .settling: "cut_off_incomplete"
        case .forked: "forked"
        case .notCarried: "not_carried"
        case .ended: "account_ended"
        }
    }

    /// Upper bound of the entries that count; nil: there is none.
    private static func end(_ state: DeviceView.State) -> UInt64? {
        switch state {
        case .settled(let size), .settling(let size), .forked(let size): size
        case .writing, .notCarried, .ended: nil
        }
    }
}
