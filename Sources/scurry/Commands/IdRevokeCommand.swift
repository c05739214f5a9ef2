// scurry id revoke DEVICE [--keep-through POST | --keep N | --keep-nothing] [--words-from FILE] [--yes]

import ArgumentParser
import Entries
import Storage
import Transport

struct IdRevokeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Cut off a device of yours that was lost or stolen, for good.",
        usage:
            "scurry id revoke DEVICE [--keep-through POST | --keep N | --keep-nothing] [--words-from FILE] [--yes]",
        discussion: """
            The recovery words say where the device's log ends, and every node that hears of it follows: what the device \
            wrote beyond that counts nowhere, whenever it was written. What is here of it stays, unless you say how \
            much; scurry sync first, if the device wrote something that has not come yet. scurry id devices DEVICE \
            lists its posts, to find the last one of your own. Asks on a terminal; a script needs --yes.

            Example:
              scurry id revoke k7fa --keep-through 2mat
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The device: the first letters of its id, as scurry id devices shows it.",
            valueName: "device"
        )
    )
    var device: DeviceArgument

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep what it wrote up to this post of its, and nothing behind it: a thief wrote that.",
            valueName: "post"
        )
    )
    var keepThrough: PostArgument?

    @Option(
        name: .long,
        help: ArgumentHelp("Keep only so many of its entries, the oldest; votes and follows count too.", valueName: "n")
    )
    var keep: UInt32?

    @Flag(name: .long, help: "Keep none of its entries.")
    var keepNothing = false

    @Option(
        name: .long,
        help: ArgumentHelp("Read the twelve words from this file, mode 0600; - is standard input.", valueName: "file")
    )
    var wordsFrom: String?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard keep == nil || !keepNothing else { throw ValidationError("--keep and --keep-nothing exclude each other") }
        guard keepThrough == nil || (keep == nil && !keepNothing) else {
            throw ValidationError("--keep-through excludes --keep and --keep-nothing")
        }
    }

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let isOver = try Problems.naming { () throws(StorageError) in try desk.store.hasEnded(own) }
        guard !isOver else { throw EndingTerms.ended }
        let rows = try Problems.naming { () throws(StorageError) in try desk.store.devices(of: own) }
        let (row, short) = try device.resolve(among: rows)
        guard let keeping = try keeping(of: row, short, desk) else {
            return console.tell("\(short) was cut off before; --keep-through POST says anew how much of it stays")
        }
        let outlook = Outlook(of: row, among: rows)
        let command = command(for: short)
        let terms = EndingTerms(
            desk: desk,
            command: yes ? "\(command) --yes" : command,
            wordsFrom: wordsFrom,
            console: console
        )
        if !yes { try confirm(row, short, keeping, outlook, terms) }
        let settlement = try terms.end(.device(row.log, keeping: keeping))
        console.tell("cut off \(short), for good: \(Self.staying(settlement.size)) of it")
        terms.tellSpreading()
        if let consequence = outlook.consequence { console.tell(consequence) }
    }

    /// The command as it was typed, with the option of what to keep, but without `--words-from` and `--yes`.
    private func command(for short: SafeText) -> SafeText {
        let command: SafeText = "scurry id revoke \(short)"
        if keepNothing { return "\(command) --keep-nothing" }
        if let keepThrough { return "\(command) --keep-through \(ShellWord.quoted(keepThrough.typed))" }
        if let keep { return "\(command) --keep \(keep)" }
        return command
    }

    /// How much of the log to keep; nil: the device was cut off before, and no option says how much is to stay now.
    /// More entries may be here than were kept then.
    private func keeping(
        of row: DeviceView,
        _ short: SafeText,
        _ desk: ReadingDesk
    ) throws -> SettlementKeeping? {
        if keepNothing { return .nothing }
        if let keepThrough {
            let post = try keepThrough.resolve(in: desk) { "scurry show \($0)" }
            guard post.log == row.log else {
                throw Failure(
                    .refused,
                    "\(short) did not write that post",
                    hint: "scurry id devices \(short) lists those that it wrote"
                )
            }
            return .first(DevicePosts.place(post))
        }
        guard let keep else {
            switch row.state {
            case .settled, .settling: return nil
            case .writing, .forked, .notCarried, .ended: return .everythingHeld
            }
        }
        guard keep <= row.held else {
            throw Failure(
                .refused,
                "of \(short) only \(Amount.of(Int(clamping: row.held), "entry is", "entries are")) here",
                hint: "scurry sync fetches more, if there is more"
            )
        }
        return .first(UInt64(keep))
    }

    private func confirm(
        _ row: DeviceView,
        _ short: SafeText,
        _ keeping: SettlementKeeping,
        _ outlook: Outlook,
        _ terms: EndingTerms
    ) throws {
        try terms.refuseUnasked()
        let console = terms.console
        let written = row.lastTime.map { SafeText(", last written \(console.clock.short($0))") } ?? ""
        let subject: SafeText = row.ownership == .own ? "This device," : "Your device"
        console.tell(
            "\(subject) \(short) (since \(console.clock.short(row.serial))\(written)) will be cut off, for good."
        )
        let size: UInt64 =
            switch keeping {
            case .nothing: 0
            case .first(let count): count
            case .everythingHeld: row.held
            }
        console.tell(
            "\(Self.staying(size)) of it; whatever else it wrote or writes, every node that hears of this drops."
        )
        if case .forked = row.state {
            console.tell("Two histories of it are known: what stays is of the one that is here.")
        }
        if let consequence = outlook.consequence { console.tell("warning: \(consequence)") }
        guard Question.isAgreed("Cut off \(short)?", on: console) else {
            throw Declined(outcome: "nothing was cut off")
        }
    }

    private static func staying(_ size: UInt64) -> SafeText {
        switch size {
        case 0: "nothing stays"
        case 1: "1 entry stays"
        default: "\(size) entries stay"
        }
    }

    /// What the cut means for the person.
    private enum Outlook {
        /// This home's device.
        case own
        /// The person's last device that writes.
        case last
        case another

        init(of row: DeviceView, among rows: [DeviceView]) {
            if row.ownership == .own {
                self = .own
            } else {
                self = rows.contains { $0.log != row.log && $0.state == .writing } ? .another : .last
            }
        }

        var consequence: SafeText? {
            switch self {
            case .own: "this home signs nothing more: scurry id restore, with the words, is the way back"
            case .last: "no device of yours writes then: scurry id restore, with the words, is the way back"
            case .another: nil
            }
        }
    }
}
