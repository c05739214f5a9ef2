internal import GRDB
internal import GRDBSQLite

/// Gathers what a commit writes to the write-ahead log (WAL) into one system call.
///
/// SQLite writes each frame in two calls, its header and its page: some twenty for one live post. While a commit runs,
/// writes that follow each other wait here until the frame that commits is complete, and so before SQLite tells readers
/// of it in the WAL index; whatever else is asked of the file writes them first ("The Write-Ahead Log",
/// sqlite.org/fileformat2.html §4; "OS Interface Methods", sqlite.org/c3ref/io_methods.html). Outside of commits
/// nothing waits: what a long transaction writes early, and may roll back, goes to the file as ever.
///
/// Replaces the methods of one open file. SQLite calls them on the thread that uses the connection, one at a time, and
/// so does `committing`: hence unchecked.
final class GatheredWAL: @unchecked Sendable {
    /// A frame's header; its second number is not 0 in the frame that commits.
    private static let headerBytes = 24
    /// 31 frames with pages of 4,096 bytes; SQLite's own write takes 131,071 bytes at once (`seekAndWriteFd`).
    static let capacity = 127_720

    /// What the file's method pointer points to: the table first, as SQLite reads it, then whose it is.
    private struct Table {
        var methods: sqlite3_io_methods
        let wal: Unmanaged<GatheredWAL>
    }

    private let system: UnsafePointer<sqlite3_io_methods>
    private let waiting = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var count = 0
    /// Offset in the file of the first byte that waits.
    private var start: sqlite3_int64 = 0
    /// Offset behind the last write, whether it waits or not.
    private var end: sqlite3_int64 = -1
    /// Whether the last write was the header of a frame that commits, and its page comes next.
    private var isCompleting = false
    /// Whether a commit runs; nothing waits otherwise.
    private var isCommitting = false

    private init(over system: UnsafePointer<sqlite3_io_methods>) {
        self.system = system
    }

    deinit {
        waiting.deallocate()
    }

    /// Gathers the commits of a connection that has its WAL open, until that is closed.
    ///
    /// - Returns: nil where that cannot be done: each frame is written as ever.
    static func gather(_ db: Database) -> GatheredWAL? {
        let connection = db.sqliteConnection
        // Without it a commit is padded to a sector of the disk, with frames behind the one that commits.
        var isPowersafe: Int32 = -1
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_POWERSAFE_OVERWRITE, &isPowersafe) == SQLITE_OK,
            isPowersafe == 1
        else { return nil }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file
        else {
            return nil
        }
        return gather(file)
    }

    /// Gathers what is written to an open file; to be called once for a file.
    static func gather(_ file: UnsafeMutablePointer<sqlite3_file>) -> GatheredWAL? {
        precondition(MemoryLayout<Table>.offset(of: \.methods) == 0, "SQLite finds its methods where the table begins")
        guard let system = file.pointee.pMethods, system.pointee.iVersion >= 3 else { return nil }
        let wal = GatheredWAL(over: system)
        var methods = system.pointee
        methods.xWrite = { file, bytes, amount, offset in
            guard let file, let bytes else { return SQLITE_MISUSE }
            return GatheredWAL.of(file).write(
                UnsafeRawBufferPointer(start: bytes, count: Int(amount)),
                at: offset,
                to: file
            )
        }
        methods.xRead = { file, bytes, amount, offset in
            GatheredWAL.afterAll(file) { system, file in system.xRead(file, bytes, amount, offset) }
        }
        methods.xTruncate = { file, size in
            GatheredWAL.afterAll(file) { system, file in system.xTruncate(file, size) }
        }
        methods.xSync = { file, flags in
            GatheredWAL.afterAll(file) { system, file in system.xSync(file, flags) }
        }
        methods.xFileSize = { file, size in
            GatheredWAL.afterAll(file) { system, file in system.xFileSize(file, size) }
        }
        methods.xFileControl = { file, operation, argument in
            GatheredWAL.afterAll(file) { system, file in system.xFileControl(file, operation, argument) }
        }
        methods.xClose = { file in
            guard let file else { return SQLITE_MISUSE }
            let system = GatheredWAL.release(file)
            return system.pointee.xClose(file)
        }
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: Table(methods: methods, wal: .passRetained(wal)))
        file.pointee.pMethods = UnsafePointer(
            UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_io_methods.self)
        )
        return wal
    }

    /// Runs a commit, and gathers what it writes.
    func committing<Result>(_ commit: () throws -> Result) rethrows -> Result {
        isCommitting = true
        // Where it failed, SQLite rolls the whole transaction back.
        defer { (isCommitting, count) = (false, 0) }
        return try commit()
    }

    private static func table(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Table> {
        UnsafeMutableRawPointer(mutating: file.pointee.pMethods).assumingMemoryBound(to: Table.self)
    }

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>) -> GatheredWAL {
        table(of: file).pointee.wal.takeUnretainedValue()
    }

    /// Gives the file its own methods back.
    private static func release(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafePointer<sqlite3_io_methods> {
        let table = table(of: file)
        let system = table.pointee.wal.takeUnretainedValue().system
        file.pointee.pMethods = system
        table.pointee.wal.release()
        table.deinitialize(count: 1).deallocate()
        return system
    }

    /// Calls one of the system's methods once nothing waits any more.
    private static func afterAll(
        _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ method: (sqlite3_io_methods, UnsafeMutablePointer<sqlite3_file>) -> Int32
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let wal = of(file)
        let status = wal.writeAll(to: file)
        return status == SQLITE_OK ? method(wal.system.pointee, file) : status
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        at offset: sqlite3_int64,
        to file: UnsafeMutablePointer<sqlite3_file>
    ) -> Int32 {
        let isHeader = bytes.count == Self.headerBytes
        let completes = isCompleting && !isHeader
        isCompleting = isHeader && bytes[4..<8].contains { $0 != 0 }
        let follows = offset == end
        end = offset + sqlite3_int64(bytes.count)
        if !follows || count + bytes.count > Self.capacity {
            let status = writeAll(to: file)
            guard status == SQLITE_OK else { return status }
        }
        // Directly: the WAL's own header, frames that are written over, and the first ones behind those of another run.
        guard isCommitting, follows, bytes.count <= Self.capacity else {
            return system.pointee.xWrite(file, bytes.baseAddress, Int32(bytes.count), offset)
        }
        if count == 0 { start = offset }
        UnsafeMutableRawBufferPointer(rebasing: waiting[count...]).copyMemory(from: bytes)
        count += bytes.count
        return completes ? writeAll(to: file) : SQLITE_OK
    }

    /// Writes what waits. What cannot be written is dropped: the commit fails.
    private func writeAll(to file: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        guard count > 0 else { return SQLITE_OK }
        defer { count = 0 }
        return system.pointee.xWrite(file, waiting.baseAddress, Int32(count), start)
    }
}
