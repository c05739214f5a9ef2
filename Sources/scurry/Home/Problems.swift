import Storage
import Transport

/// Words what stores and homes cannot do: one line, and the command that helps.
enum Problems {
    /// Runs something of the store.
    static func naming<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) { return try body() } catch { throw failure(error) }
    }

    /// Runs something of the home.
    static func naming<Value>(_ body: () throws(HomeError) -> Value) throws(Failure) -> Value {
        do throws(HomeError) { return try body() } catch { throw failure(error) }
    }

    /// Runs something of the system.
    static func naming<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
        do throws(SystemError) { return try body() } catch { throw failure(HomeError.system(error)) }
    }

    static func failure(_ error: StorageError) -> Failure {
        let text = SafeText(line: error.description)
        return switch error {
        case .diskFull: Failure(.failure, text, hint: "df -h shows which disk is full")
        case .readOnly: Failure(.failure, text, hint: "ls -ld \"$SCURRY_HOME\" shows who may write there")
        case .damaged:
            Failure(.failure, text, hint: "scurry init in a new SCURRY_HOME, then join: peers hold what you wrote")
        case .newerVersion: Failure(.failure, text, hint: "install the newer scurry again: make install")
        case .olderVersion: Failure(.tryAgain, text, hint: "end the node that runs, and start it again: scurry run")
        case .absent: Failure(.failure, "this home has no database", hint: "scurry init")
        case .busy: Failure(.tryAgain, text, hint: "scurry status shows whether a node runs")
        case .ownLogIncomplete: Failure(.tryAgain, text, hint: "scurry id keep")
        case .ownLogEnded: Failure(.refused, text, hint: "scurry status")
        case .foreignNetwork, .ownLogExists, .unfit, .other: Failure(.failure, text, hint: "scurry whoami")
        }
    }

    static func failure(_ error: HomeError) -> Failure {
        let text = SafeText(line: error.description)
        return switch error {
        case .absent: Failure(.failure, text, hint: "scurry init --name NAME")
        case .unfinished: Failure(.failure, text, hint: "scurry init --name NAME starts over")
        case .exists: Failure(.failure, text, hint: "scurry whoami; another home: SCURRY_HOME=DIR scurry init")
        case .foreignOwner: Failure(.failure, text, hint: "SCURRY_HOME=DIR names a home of your own")
        case .exposed(let path, let permissions): Failure(.failure, text, hint: "chmod \(permissions) \(path)")
        case .damaged(let path) where path.hasSuffix("/device.key"), .foreignNetwork(let path):
            Failure(.failure, text, hint: "scurry id restore, with the recovery words, writes another")
        case .damaged: Failure(.failure, text, hint: "restore it from a backup, or scurry init in a new SCURRY_HOME")
        case .busy: Failure(.tryAgain, text, hint: "scurry status")
        case .badNetworkName: Failure(.usage, text, hint: "scurry init --network campus")
        case .store(let error): failure(error)
        case .nowhere: Failure(.failure, text, hint: "SCURRY_HOME=DIR scurry status")
        case .system: Failure(.failure, text, hint: "ls -ld \"$SCURRY_HOME\" shows who may write there")
        }
    }
}
