#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Storage
import Transport

/// Turns errors of stores and homes into failures: a line, and the command that helps.
enum Problems {
    /// Runs a store operation; its error becomes a `Failure`.
    static func naming<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) { return try body() } catch { throw failure(error) }
    }

    /// Runs an operation on the reader's own file, which holds read marks and joined channels and nothing else.
    static func naming<Value>(_ layout: HomeLayout, _ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            let file: String
            let fault: SafeText
            switch error {
            case .damaged:
                file = layout.reader
                fault = "is damaged"
            case .noFile(let found):
                file = found
                fault = "is not a file"
            case .newerVersion(let found, let known):
                throw Failure(
                    .failure,
                    "\(SafeText(line: layout.reader)) \(newer(found, known))",
                    hint: "install the newer scurry again: make install"
                )
            default: throw failure(error)
            }
            throw Failure(
                .failure,
                "\(SafeText(line: file)) \(fault): read marks and joined channels are out of reach",
                hint: "mv \(ShellWord.quoted(file)) \(ShellWord.quoted(file + ".damaged")) begins them anew"
            )
        }
    }

    /// Why the reader's own file cannot be used, for the note of a command that goes on without it.
    static func reason(_ error: StorageError, of layout: HomeLayout) -> SafeText {
        guard case .newerVersion(let found, let known) = error else { return SafeText(line: error.description) }
        return "\(SafeText(line: layout.reader)) \(newer(found, known))"
    }

    private static func newer(_ found: Int, _ known: Int) -> SafeText {
        "has version \(found), this program knows up to \(known): a newer scurry made it"
    }

    /// Runs a home operation; its error becomes a `Failure`.
    static func naming<Value>(_ body: () throws(HomeError) -> Value) throws(Failure) -> Value {
        do throws(HomeError) { return try body() } catch { throw failure(error) }
    }

    /// Runs a system operation; its error becomes a `Failure`.
    static func naming<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
        do throws(SystemError) { return try body() } catch { throw failure(HomeError.system(error)) }
    }

    /// The hint for a damaged home: the same person comes back, and peers hold their entries; `init` would make another
    /// person.
    static let damage: SafeText =
        "scurry restore BACKUP, or scurry id restore with the words, in a new SCURRY_HOME"

    static func failure(_ error: StorageError) -> Failure {
        let text = SafeText(line: error.description)
        return switch error {
        case .noRoomToCopy: Failure(.failure, text, hint: "df -h shows which disk is full")
        case .diskFull: Failure(.failure, text, hint: "df -h shows which disk is full")
        case .unwritable: Failure(.failure, text, hint: "quota -s; df -h; dmesg | tail")
        case .readOnly, .unopenable: Failure(.failure, text, hint: "scurry doctor")
        case .damaged: Failure(.failure, text, hint: damage)
        case .tooManyFiles: Failure(.failure, text, hint: filesHelp)
        case .noFile(let path): Failure(.failure, text, hint: listing(path))
        case .newerVersion: Failure(.failure, text, hint: "install the newer scurry again: make install")
        case .olderVersion: Failure(.tryAgain, text, hint: "end the node that runs, and start it again: scurry run")
        case .absent: Failure(.failure, "this home has no database", hint: damage)
        case .busy: Failure(.tryAgain, text, hint: "scurry status shows whether a node runs")
        case .ownLogIncomplete:
            Failure(.tryAgain, text, hint: "scurry id keep while a peer that has it runs, or scurry id restore")
        case .ownLogEnded: Failure(.refused, text, hint: "scurry status")
        // Every database of this version has all tables and columns: a definition is damaged, and still parses.
        case .unfit(let words) where words.hasPrefix("no such table") || words.hasPrefix("no such column"):
            Failure(.failure, text, hint: damage)
        case .foreignNetwork, .ownLogExists, .unfit, .other: Failure(.failure, text, hint: "scurry whoami")
        }
    }

    /// The failure that the node reports: as if this command had met it.
    static func failure(_ failure: NodeFailure) -> Failure {
        failure.error.map { self.failure($0) }
            ?? Failure(.failure, SafeText(line: failure.reason), hint: "scurry status")
    }

    static func failure(_ error: HomeError) -> Failure {
        let text = SafeText(line: error.description)
        return switch error {
        case .absent: Failure(.failure, text, hint: "scurry init --name NAME")
        case .unfinished: Failure(.failure, text, hint: "scurry init --name NAME starts over")
        case .exists: Failure(.failure, text, hint: "scurry whoami; another home: SCURRY_HOME=DIR scurry init")
        case .notEmpty: Failure(.failure, text, hint: "SCURRY_HOME=DIR names an empty directory, or a new one")
        case .foreignOwner: Failure(.failure, text, hint: "SCURRY_HOME=DIR names a home of your own")
        case .exposed(let path, let permissions):
            Failure(.failure, text, hint: "chmod \(permissions) \(ShellWord.quoted(path))")
        case .damaged(let path) where path.hasSuffix("/device.key"), .foreignNetwork(let path):
            Failure(.failure, text, hint: "scurry id restore, with the recovery words, writes another")
        case .damaged, .missing: Failure(.failure, text, hint: damage)
        case .busy: Failure(.tryAgain, text, hint: "scurry status")
        case .badNetworkName: Failure(.usage, text, hint: "scurry init --network campus")
        case .store(let error): failure(error)
        case .nowhere: Failure(.failure, text, hint: "SCURRY_HOME=DIR scurry status")
        case .system(let error): Failure(.failure, text, hint: hint(for: error))
        }
    }

    private static func hint(for error: SystemError) -> SafeText {
        let place = present(error.path)
        let path = ShellWord.quoted(place)
        return switch error.reason {
        case .noRoom: "df -h; quota -s"
        case .tooLong: "mv \(path) \(ShellWord.quoted(place + ".old")) begins it anew, and keeps the old one"
        case .readOnlyDisk: "findmnt -T \(path); dmesg | tail"
        case .noLocks: "a disk of this machine has locks: SCURRY_HOME=DIR scurry init"
        case .noText: "grep -naxv '.*' \(path) shows the lines that are none, in a UTF-8 locale"
        case .tooManyFiles: filesHelp
        case .other where error.isAbsence: "ls -d \(path) is as far as the path goes"
        case .noFile: listing(error.path)
        // A link may lead nowhere: it is named all the same.
        case .link: "readlink -f \(ShellWord.quoted(error.path)) shows the file: put that in the place of the link"
        case .other: "ls -ld \(path) shows who may do that"
        }
    }

    /// The hint where too many files are open.
    static let filesHelp: SafeText = "ulimit -n shows how many files may be open at once, ulimit -n 1024 raises it"

    /// The hint where something else lies in the place of a file.
    private static func listing(_ path: String) -> SafeText {
        "ls -ld \(ShellWord.quoted(path)) shows what is there instead"
    }

    /// The part of a path that exists: for a file that could not be made, a folder that can be looked at.
    private static func present(_ path: String) -> String {
        let isAbsolute = path.hasPrefix("/")
        var path = path
        while !path.isEmpty, access(path, F_OK) != 0, let slash = path.lastIndex(of: "/") {
            path = String(path[..<slash])
        }
        return path.isEmpty ? isAbsolute ? "/" : "." : path
    }
}
