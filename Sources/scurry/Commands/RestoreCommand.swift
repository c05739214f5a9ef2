// scurry restore FILE

import ArgumentParser
import Transport

struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a home of a backup, where there is none.",
        usage: "scurry restore FILE",
        discussion: """
            The home reads and relays at once. It has no device key and signs nothing before scurry id restore, which \
            needs the recovery words: so no log is ever written twice.

            Example:
              scurry restore scurry.backup
            """
    )

    @Argument(help: ArgumentHelp("What scurry backup wrote.", valueName: "file"))
    var file: String

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let layout = try HomeDoor.layout(console.environment)
        try Problems.naming { () throws(HomeError) in try layout.checkVacancy() }
        if try HomeDoor.openIfMade(console.environment) != nil {
            throw RestoreCommand.failure(.home(.exists(layout.data)), file: file)
        }
        do throws(BackupError) {
            let home = try Home.create(at: layout, from: file)
            console.tell("restored a home of the \(home.networkTerm) in \(SafeText(line: layout.data))")
        } catch {
            throw RestoreCommand.failure(error, file: file)
        }
        let desk = try ReadingDesk(console)
        if desk.own == nil { return console.tell("next: scurry run") }
        console.tell("It has no device key and signs nothing yet.")
        console.tell("next: scurry id restore, with the recovery words")
    }

    static func failure(_ error: BackupError, file: String) -> Failure {
        let shown = SafeText(line: file)
        let typed = ShellWord.quoted(file)
        return switch error {
        case .exists:
            Failure(.failure, "\(shown) is there already", hint: "scurry backup another file, or rm \(typed) first")
        case .inTheWay(let path):
            Failure(
                .failure,
                "\(SafeText(line: path)) is there already, and no home",
                hint: "mv it elsewhere first, or SCURRY_HOME=DIR scurry restore \(typed)"
            )
        case .noRoomForCopy(let folders):
            Failure(
                .failure,
                "no room for a copy of the database in \(SafeText(line: folders.joined(separator: ", nor in ")))",
                hint: "df -h shows which disk is full; scurry backup to a file on another disk"
            )
        case .mayBeLost(let error):
            Failure(
                .failure,
                "\(shown) is there and whole, but a power cut may take it: \(SafeText(line: error.description))",
                hint: "sync; dmesg | tail"
            )
        case .truncated:
            Failure(
                .failure,
                "\(shown) is cut off: a part of the backup is missing",
                hint: "copy it again, or take an older backup"
            )
        case .damaged: Failure(.failure, "\(shown) is damaged", hint: "copy it again, or take an older backup")
        case .foreign:
            Failure(
                .failure,
                "\(shown) is no backup of a home",
                hint: "scurry restore FILE takes what scurry backup FILE wrote"
            )
        case .newerVersion:
            Failure(.failure, "\(shown) was written by a newer scurry", hint: "install the newer scurry: make install")
        case .home(.exists(let path)):
            Failure(
                .failure,
                "there is a home at \(SafeText(line: path)) already",
                hint: "SCURRY_HOME=DIR scurry restore \(typed)"
            )
        case .home(.system(let error)) where error.reason == .noFile && error.path == file:
            Failure(
                .failure,
                "\(shown) is not a file: a backup is read twice, which no pipe allows",
                hint: "write it into a file first: scurry restore FILE"
            )
        case .home(.system(let error)) where error.isAbsence && error.path == file:
            Failure(
                .notFoundOrAmbiguous,
                SafeText(line: error.description),
                hint: "scurry restore FILE, with what scurry backup wrote"
            )
        case .home(let error): Problems.failure(error)
        }
    }
}
