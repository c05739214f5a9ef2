internal import GRDB
internal import GRDBSQLite
internal import Sodium

/// Inserts rows of one table, many with each statement.
///
/// Beginning and ending a statement costs SQLite as much as a row in a small table: five tables a post take 40,000
/// instructions with one row a statement, 24,000 with twenty (measured, SQLite 3.40).
struct RowInsert {
    /// One statement, spelled for one row and for many.
    struct Form {
        fileprivate let one: String
        fileprivate let many: String

        /// `head` names the table and its columns.
        init(_ head: String, columns: Int) {
            let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
            one = "\(head) VALUES \(row)"
            many = "\(head) VALUES " + Array(repeating: row, count: RowInsert.portion).joined(separator: ", ")
        }
    }

    /// Rows of the larger statement: the gain of more is lost in the noise.
    fileprivate static let portion = 16

    private let db: Database
    private let form: Form

    init(_ db: Database, _ form: Form) {
        self.db = db
        self.form = form
    }

    /// Inserts the rows in their order; `bind` gives the values of a row, in the order of the columns.
    func run<Row>(_ rows: [Row], bind: (Row, inout RowBinding) -> Void) throws {
        var next = rows.startIndex
        // Each is prepared on first use: most transactions of a node in sync insert one row.
        if rows.count >= Self.portion {
            let many = try Prepared(db, form.many)
            while rows.endIndex - next >= Self.portion {
                try many.insert(rows[next..<next + Self.portion], bind)
                next += Self.portion
            }
        }
        guard next < rows.endIndex else { return }
        let one = try Prepared(db, form.one)
        while next < rows.endIndex {
            try one.insert(rows[next..<next + 1], bind)
            next += 1
        }
    }
}

extension Prepared {
    fileprivate func insert<Row>(_ rows: ArraySlice<Row>, _ bind: (Row, inout RowBinding) -> Void) throws {
        try run { binding in
            for row in rows { bind(row, &binding) }
        }
    }
}

/// The values of one insert, bound one after the other.
struct RowBinding {
    private let handle: OpaquePointer
    private var index: Int32 = 0
    private(set) var status = SQLITE_OK

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    mutating func add(_ value: Int64) { note(sqlite3_bind_int64(handle, next(), value)) }

    mutating func add(_ value: Int64?) {
        let index = next()
        note(value.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    mutating func addNull() { note(sqlite3_bind_null(handle, next())) }

    mutating func add(_ value: (some Bindable)?) {
        guard let value else { return addNull() }
        add(value)
    }

    /// The nodes of a compact range, 32 bytes each.
    mutating func add(nodes: [Bytes32]) {
        guard !nodes.isEmpty else { return note(sqlite3_bind_zeroblob(handle, next(), 0)) }
        let index = next()
        note(nodes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient) })
    }

    mutating func add(_ value: some Bindable) { note(value.bind(to: handle, at: next())) }

    /// Binds bytes without copying them: they have to stay in place until the rows are inserted.
    mutating func add(unmoved bytes: UnsafeRawBufferPointer) {
        // A null pointer would be NULL, not the empty blob.
        guard !bytes.isEmpty else { return note(sqlite3_bind_zeroblob(handle, next(), 0)) }
        note(sqlite3_bind_blob64(handle, next(), bytes.baseAddress, UInt64(bytes.count), nil))
    }

    private mutating func next() -> Int32 {
        index += 1
        return index
    }

    private mutating func note(_ result: Int32) {
        if result != SQLITE_OK { status = result }
    }
}
