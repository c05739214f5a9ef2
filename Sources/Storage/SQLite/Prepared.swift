internal import Entries
internal import GRDB
internal import GRDBSQLite
internal import Sodium

/// A prepared statement, bound and stepped through SQLite's C functions; besides `RowInsert`, only this file does so.
///
/// GRDB opens, caches and rolls back; but it reads a row of 32-byte ids as an array of `Data`, and a post takes ten
/// such rows. Every use leaves the statement reset, so that no cursor stays open.
struct Prepared {
    // Keeps the handle alive: GRDB finalizes it with the object.
    private let statement: Statement
    let handle: OpaquePointer

    /// Takes the statement from the connection's cache, which shares it: not to be used while its own rows are read.
    init(_ db: Database, _ sql: String) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Runs a statement that gives no rows (`sqlite3_step`).
    func run<each Value: Bindable>(_ value: repeat each Value) throws {
        defer { sqlite3_reset(handle) }
        try bind(repeat each value)
        let status = sqlite3_step(handle)
        guard status == SQLITE_DONE || status == SQLITE_ROW else { throw failure() }
    }

    /// Runs the statement with the values that `bind` gives in their order: many go faster so than as a parameter pack.
    func run(binding bind: (inout RowBinding) -> Void) throws {
        defer { sqlite3_reset(handle) }
        var binding = RowBinding(handle)
        bind(&binding)
        guard binding.status == SQLITE_OK, sqlite3_step(handle) == SQLITE_DONE else { throw failure() }
    }

    /// Rows that the last `run` of this connection changed (`sqlite3_changes`).
    var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(handle))) }

    /// Row id of the last insert of this connection (`sqlite3_last_insert_rowid`).
    var insertedRow: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

    /// The first row; nil if there is none.
    func first<Result, each Value: Bindable>(
        _ value: repeat each Value,
        read: (Columns) throws -> Result
    ) throws -> Result? {
        var result: Result?
        try rows(repeat each value) { columns in
            result = try read(columns)
            return .enough
        }
        return result
    }

    /// All rows.
    func all<Result, each Value: Bindable>(
        _ value: repeat each Value,
        read: (Columns) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try rows(repeat each value) { columns in
            results.append(try read(columns))
            return .more
        }
        return results
    }

    enum Appetite {
        case more
        case enough
    }

    /// Passes each row to `read` until that returns `.enough`.
    func rows<each Value: Bindable>(_ value: repeat each Value, read: (Columns) throws -> Appetite) throws {
        defer { sqlite3_reset(handle) }
        try bind(repeat each value)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                if case .enough = try read(Columns(handle: handle)) { return }
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private func bind<each Value: Bindable>(_ value: repeat each Value) throws {
        var index: Int32 = 0
        var status = SQLITE_OK
        for value in repeat each value {
            index += 1
            let bound = value.bind(to: handle, at: index)
            if bound != SQLITE_OK { status = bound }
        }
        guard status == SQLITE_OK else { throw failure() }
    }

    /// The error of SQLite's last call on this connection.
    func failure() -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
            message: String(cString: sqlite3_errmsg(connection))
        )
    }
}

/// A value that can be bound; bytes are copied, since the statement outlives them.
protocol Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32
}

// SQLITE_TRANSIENT is a cast in a C macro, which Swift does not see.
nonisolated(unsafe) let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(handle, index, self) }
}

extension Int: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(handle, index, Int64(self)) }
}

extension Bytes32: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32(Bytes32.count), transient) }
    }
}

extension Signature: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes(of: (first, second)) {
            sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), transient)
        }
    }
}

extension [UInt8]: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        // A null pointer would be NULL, not the empty blob.
        if isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
        return withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient) }
    }
}

extension String: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        var copy = self
        return copy.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }
}

extension Optional: Bindable where Wrapped: Bindable {
    func bind(to handle: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .some(let value): value.bind(to: handle, at: index)
        case .none: sqlite3_bind_null(handle, index)
        }
    }
}

/// The columns of the current row; valid only until the next step.
struct Columns {
    fileprivate let handle: OpaquePointer

    func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

    func count(_ index: Int32) -> Int { Int(sqlite3_column_int64(handle, index)) }

    /// An unsigned value of 64 bits, stored as a bit pattern.
    func bits(_ index: Int32) -> UInt64 { UInt64(bitPattern: sqlite3_column_int64(handle, index)) }

    func isNull(_ index: Int32) -> Bool { sqlite3_column_type(handle, index) == SQLITE_NULL }

    func optionalInteger(_ index: Int32) -> Int64? { isNull(index) ? nil : integer(index) }

    func withBytes<Result>(_ index: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let start = sqlite3_column_blob(handle, index)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    }

    func bytes(_ index: Int32) -> [UInt8] { withBytes(index) { Array($0) } }

    func optionalBytes(_ index: Int32) -> [UInt8]? { isNull(index) ? nil : bytes(index) }

    /// - Throws: `StorageError.damaged` if it is not 32 bytes.
    func bytes32(_ index: Int32) throws -> Bytes32 {
        try withBytes(index) {
            guard let value = Bytes32(raw: $0) else { throw StorageError.damaged("a hash is not 32 bytes") }
            return value
        }
    }

    /// The nodes of a compact range, 32 bytes each.
    func nodes(_ index: Int32) -> [Bytes32] {
        let bytes = bytes(index)
        var reader = ByteReader(bytes)
        var nodes: [Bytes32] = []
        while let node = reader.bytes32() { nodes.append(node) }
        return nodes
    }

    func id<ID: Identifier>(_ index: Int32, as _: ID.Type = ID.self) throws -> ID { ID(raw: try bytes32(index)) }

    func string(_ index: Int32) -> String { withBytes(index) { String(decoding: $0, as: UTF8.self) } }
}
