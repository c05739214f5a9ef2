internal import GRDB

/// An `AppendRefusal` thrown inside a transaction, which is rolled back by it.
struct Refused: Error {
    let refusal: AppendRefusal
}

extension StorageError {
    /// Translates an error of GRDB, of SQLite or of this module into what a person has to know.
    init(_ error: any Error) {
        switch error {
        case let error as StorageError: self = error
        case let error as DatabaseError: self = Self(error)
        default: self = .other(String(describing: error))
        }
    }

    private init(_ error: DatabaseError) {
        self.init(
            code: error.extendedResultCode.rawValue,
            words: error.message ?? error.resultCode.description
        )
    }

    /// Translates an extended result code of SQLite, with its message.
    init(code: Int32, words: String) {
        let code = ResultCode(rawValue: code)
        // SQLite grows the WAL's shared memory file by writing it: that fails on a full disk.
        if code == .SQLITE_IOERR_SHMSIZE {
            self = .diskFull
            return
        }
        // SQLite reports only ENOSPC as full: EDQUOT and EFBIG come as failed writes.
        switch code {
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE:
            self = .unwritable
            return
        default: break
        }
        switch code.primaryResultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_READONLY: self = .readOnly
        case .SQLITE_CANTOPEN: self = FilesLeft.areTooFew ? .tooManyFiles : .unopenable
        case .SQLITE_PERM: self = .unopenable
        // SQLite's message quotes the definition, from where it is damaged to its end.
        case .SQLITE_CORRUPT where words.hasPrefix("malformed database schema"):
            self = .damaged("its table definitions cannot be read")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged(words)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_RANGE: self = .unfit(words)
        default: self = .other(words)
        }
    }
}

/// Runs a database operation, turning any error into a `StorageError`.
func storing<Result>(_ body: () throws -> Result) throws(StorageError) -> Result {
    do {
        return try body()
    } catch {
        throw StorageError(error)
    }
}

/// Runs an operation that signs, turning any error into a refusal or a `StorageError`.
func signing<Result>(_ body: () throws -> Result) throws(AppendError) -> Result {
    do {
        return try body()
    } catch let error as Refused {
        throw .refused(error.refusal)
    } catch {
        throw .storage(StorageError(error))
    }
}
