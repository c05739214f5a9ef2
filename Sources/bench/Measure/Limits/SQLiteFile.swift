import Foundation
import GRDBSQLite

/// A store's database file, used only through SQLite's C functions.
final class SQLiteFile {
    static var version: String { String(cString: sqlite3_libversion()) }

    private let handle: OpaquePointer

    enum Access {
        case readOnly
        case writable
    }

    init(_ path: String, _ access: Access) throws {
        var handle: OpaquePointer?
        let mode: Int32 =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .writable: SQLITE_OPEN_READWRITE
            }
        guard sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let handle else {
            throw BenchError("the store cannot be opened")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError(String(cString: sqlite3_errmsg(handle)))
        }
    }

    func prepare(_ sql: String) throws -> Statement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw BenchError(String(cString: sqlite3_errmsg(handle)))
        }
        return Statement(statement)
    }

    /// The first column of the first row; 0 if there is none.
    func integer(_ sql: String) throws -> Int64 {
        try prepare(sql).integer()
    }

    /// A prepared statement.
    final class Statement {
        private let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer) {
            self.handle = handle
        }

        deinit {
            sqlite3_finalize(handle)
        }

        func run(_ values: Int64...) throws {
            for (index, value) in values.enumerated() { sqlite3_bind_int64(handle, Int32(index + 1), value) }
            try step()
        }

        func run(_ number: Int64, payload: [UInt8]) throws {
            sqlite3_bind_int64(handle, 1, number)
            try payload.withUnsafeBytes { bytes in
                // A null destructor is SQLITE_STATIC: the bytes stay where they are until the row is in.
                sqlite3_bind_blob64(handle, 2, bytes.baseAddress, UInt64(bytes.count), nil)
                try step()
            }
        }

        /// The number of rows; every column of each is read.
        func rows() throws -> Int {
            defer { sqlite3_reset(handle) }
            var count = 0
            while true {
                let status = sqlite3_step(handle)
                guard status == SQLITE_ROW else {
                    guard status == SQLITE_DONE else { throw BenchError("a row cannot be read") }
                    return count
                }
                for column in 0..<sqlite3_column_count(handle) { _ = sqlite3_column_bytes(handle, column) }
                count += 1
            }
        }

        func integer() throws -> Int64 {
            defer { sqlite3_reset(handle) }
            return sqlite3_step(handle) == SQLITE_ROW ? sqlite3_column_int64(handle, 0) : 0
        }

        private func step() throws {
            defer { sqlite3_reset(handle) }
            guard sqlite3_step(handle) == SQLITE_DONE else { throw BenchError("a row was refused") }
        }
    }
}
