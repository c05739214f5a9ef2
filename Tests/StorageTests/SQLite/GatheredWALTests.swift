import Entries
import Foundation
import GRDB
import GRDBSQLite
import TestSupport
import Testing

@testable import Storage

/// A file as SQLite sees it, which notes what is written to it and can refuse.
private final class RecordingFile {
    struct Write: Equatable {
        let offset: Int64
        let bytes: [UInt8]
    }

    private struct Layout {
        var file: sqlite3_file
        let recorder: Unmanaged<RecordingFile>
    }

    var writes: [Write] = []
    var calls: [String] = []
    var outcome = SQLITE_OK
    private(set) var wal: GatheredWAL?
    private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    private let layout = UnsafeMutablePointer<Layout>.allocate(capacity: 1)

    var file: UnsafeMutablePointer<sqlite3_file> {
        UnsafeMutableRawPointer(layout).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> RecordingFile {
        guard let file else { preconditionFailure("SQLite names the file") }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: Layout.self).pointee.recorder.takeUnretainedValue()
    }

    init() {
        var table = sqlite3_io_methods()
        table.iVersion = 3
        table.xWrite = { file, bytes, count, offset in
            let recorder = RecordingFile.of(file)
            guard recorder.outcome == SQLITE_OK else { return recorder.outcome }
            let bytes = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            recorder.writes.append(Write(offset: offset, bytes: Array(bytes)))
            return SQLITE_OK
        }
        table.xRead = { file, _, _, _ in RecordingFile.of(file).called("read") }
        table.xTruncate = { file, _ in RecordingFile.of(file).called("truncate") }
        table.xSync = { file, _ in RecordingFile.of(file).called("sync") }
        table.xFileSize = { file, _ in RecordingFile.of(file).called("size") }
        table.xFileControl = { file, _, _ in RecordingFile.of(file).called("control") }
        table.xClose = { file in RecordingFile.of(file).called("close") }
        methods.initialize(to: table)
        layout.initialize(
            to: Layout(file: sqlite3_file(pMethods: methods), recorder: Unmanaged.passUnretained(self))
        )
        wal = GatheredWAL.gather(file)
    }

    deinit {
        layout.deallocate()
        methods.deallocate()
    }

    private func called(_ name: String) -> Int32 {
        calls.append("\(name) after \(writes.count)")
        return SQLITE_OK
    }

    var hasItsOwnMethods: Bool { file.pointee.pMethods == UnsafePointer(methods) }

    func write(_ bytes: [UInt8], at offset: Int64) -> Int32 {
        file.pointee.pMethods.pointee.xWrite(file, bytes, Int32(bytes.count), offset)
    }

    /// Runs a commit that makes these writes.
    func committing(_ writes: () -> Void) throws {
        try #require(wal).committing(writes)
    }

    /// Writes a frame at this offset; returns the outcomes of its two writes.
    func frame(at offset: Int64, _ filling: UInt8, commits: Bool, page: Int = 64) -> [Int32] {
        var header = [UInt8](repeating: filling, count: 24)
        header.replaceSubrange(4..<8, with: commits ? [0, 0, 1, 0] : [0, 0, 0, 0])
        return [write(header, at: offset), write([UInt8](repeating: filling, count: page), at: offset + 24)]
    }
}

@Suite struct GatheredWALTests {
    @Test func `The frames of a commit are one write, made by its last page`() throws {
        let file = RecordingFile()
        try file.committing {
            // The WAL's own header follows nothing.
            #expect(file.write([UInt8](repeating: 9, count: 32), at: 0) == SQLITE_OK)
            #expect(file.writes.map(\.bytes.count) == [32])
            #expect(file.frame(at: 32, 1, commits: false) == [SQLITE_OK, SQLITE_OK])
            #expect(file.frame(at: 120, 2, commits: false) == [SQLITE_OK, SQLITE_OK])
            #expect(file.writes.count == 1, "nobody may read them yet")
            #expect(file.frame(at: 208, 3, commits: true) == [SQLITE_OK, SQLITE_OK])
            #expect(file.writes.count == 2)
        }
        #expect(file.writes[1].offset == 32 && file.writes[1].bytes.count == 264)
        #expect(file.writes[1].bytes.prefix(4) == [1, 1, 1, 1] && file.writes[1].bytes.last == 3)
        // The next transaction follows.
        try file.committing { #expect(file.frame(at: 296, 4, commits: true) == [SQLITE_OK, SQLITE_OK]) }
        #expect(file.writes.count == 3 && file.writes[2].offset == 296)
    }

    @Test func `A header that follows nothing is written, and its page commits all the same`() throws {
        let file = RecordingFile()
        try file.committing {
            #expect(file.frame(at: 4_128, 1, commits: true) == [SQLITE_OK, SQLITE_OK])
            #expect(file.writes.map(\.offset) == [4_128, 4_152])
        }
    }

    @Test func `Outside of a commit nothing waits`() throws {
        let file = RecordingFile()
        _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
        _ = file.frame(at: 32, 1, commits: false)
        #expect(file.writes.map(\.offset) == [0, 32, 56])
        try file.committing { _ = file.frame(at: 120, 2, commits: true) }
        #expect(file.writes.last?.offset == 120 && file.writes.last?.bytes.count == 88)
    }

    @Test func `What is written elsewhere comes after what waits`() throws {
        let file = RecordingFile()
        try file.committing {
            _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
            _ = file.frame(at: 32, 1, commits: false)
            _ = file.write([UInt8](repeating: 7, count: 24), at: 32)
            #expect(file.writes.map(\.offset) == [0, 32, 32])
            #expect(file.writes.last?.bytes == [UInt8](repeating: 7, count: 24))
            // Checksums that are written anew: a header alone does not wait, whatever it says.
            _ = file.write([0, 0, 0, 1, 0, 0, 0, 1] + [UInt8](repeating: 7, count: 16), at: 120)
            #expect(file.writes.last?.offset == 120)
        }
    }

    @Test(arguments: ["read", "truncate", "sync", "size", "control"])
    func `Whatever else is asked of the file finds all written`(_ call: String) throws {
        let file = RecordingFile()
        let methods = file.file.pointee.pMethods.pointee
        func ask() -> Int32 {
            var size: sqlite3_int64 = 0
            var bytes: [UInt8] = [0]
            return switch call {
            case "read": methods.xRead(file.file, &bytes, 1, 0)
            case "truncate": methods.xTruncate(file.file, 0)
            case "sync": methods.xSync(file.file, SQLITE_SYNC_NORMAL)
            case "size": methods.xFileSize(file.file, &size)
            default: methods.xFileControl(file.file, 0, nil)
            }
        }
        try file.committing {
            _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
            _ = file.frame(at: 32, 1, commits: false)
            #expect(ask() == SQLITE_OK)
            #expect(file.calls == ["\(call) after 2"])
            // And says so where they cannot be.
            _ = file.frame(at: 120, 2, commits: false)
            file.outcome = SQLITE_FULL
            #expect(ask() == SQLITE_FULL)
            #expect(file.calls.count == 1)
        }
    }

    @Test func `A write that fails fails the commit, and is not tried again behind it`() throws {
        let file = RecordingFile()
        _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
        try file.committing {
            _ = file.frame(at: 32, 1, commits: false)
            file.outcome = SQLITE_FULL
            #expect(file.frame(at: 120, 2, commits: true) == [SQLITE_OK, SQLITE_FULL])
        }
        file.outcome = SQLITE_OK
        // SQLite writes the next transaction where that one began.
        try file.committing { #expect(file.frame(at: 32, 3, commits: true) == [SQLITE_OK, SQLITE_OK]) }
        #expect(file.writes.dropFirst().allSatisfy { $0.bytes.last == 3 })
    }

    @Test func `What waits when a commit is given up is dropped`() throws {
        struct GivenUp: Error {}
        let file = RecordingFile()
        _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
        #expect(throws: GivenUp.self) {
            try file.wal?.committing {
                _ = file.frame(at: 32, 1, commits: false)
                throw GivenUp()
            }
        }
        // Another connection may have written there meanwhile.
        var bytes: [UInt8] = [0]
        #expect(file.file.pointee.pMethods.pointee.xRead(file.file, &bytes, 1, 0) == SQLITE_OK)
        #expect(file.calls == ["read after 1"])
    }

    @Test func `More than fits is written in parts`() throws {
        let file = RecordingFile()
        var all: [UInt8] = []
        try file.committing {
            _ = file.write([UInt8](repeating: 0, count: 32), at: 0)
            for number in 0..<200 {
                let commits = number == 199
                _ = file.frame(at: 32 + Int64(number) * 4_120, UInt8(number), commits: commits, page: 4_096)
                var header = [UInt8](repeating: UInt8(number), count: 24)
                header.replaceSubrange(4..<8, with: commits ? [0, 0, 1, 0] : [0, 0, 0, 0])
                all += header + [UInt8](repeating: UInt8(number), count: 4_096)
            }
        }
        let written = file.writes.dropFirst()
        #expect(written.count < 20)
        // SQLite's own write takes no more at once.
        #expect(written.allSatisfy { $0.bytes.count <= 0x1_FFFF })
        #expect(Array(written.map(\.bytes).joined()) == all)
        for (one, next) in zip(written, written.dropFirst()) {
            #expect(one.offset + Int64(one.bytes.count) == next.offset)
        }
    }

    @Test func `A closed file has its own methods`() {
        let file = RecordingFile()
        #expect(!file.hasItsOwnMethods)
        #expect(file.file.pointee.pMethods.pointee.xClose(file.file) == SQLITE_OK)
        #expect(file.hasItsOwnMethods)
        #expect(file.calls == ["close after 0"])
    }

    /// Random transactions, small and larger than the page cache, with savepoints, rollbacks and checkpoints: at each
    /// commit the files hold what the same statements make of files whose writes are not gathered.
    ///
    /// Where a savepoint is rolled back after it has spilled, SQLite 3.40.1 may leave frames from which another process
    /// reads less, or takes the file for damaged: each second case has none, and there all has to be well. The store
    /// rolls back whole transactions alone.
    @Test(arguments: 0..<6) func `At each commit the files hold all of it`(_ offset: Int) throws {
        var random = SeededRandom(seed: SeededRandom.announcedSeed() &+ UInt64(offset))
        let ends = offset.isMultiple(of: 2) ? ["RELEASE here"] : ["ROLLBACK TO here", "RELEASE here"]
        let home = try TestHome()
        let pool = try DatabasePool(path: home.path)
        let twin = try TestHome()
        let other = try DatabasePool(path: twin.path)
        let gathered = try #require(try pool.writeWithoutTransaction { GatheredWAL.gather($0) })
        let both: [any DatabaseWriter] = [pool, other]
        for database in both {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA cache_size = 20; PRAGMA wal_autocheckpoint = 0")
                try db.execute(sql: "CREATE TABLE notes (number INTEGER PRIMARY KEY, text BLOB)")
                try db.execute(sql: "CREATE INDEX by_text ON notes (text)")
            }
        }
        func change() -> (String, StatementArguments) {
            let number = random.below(400)
            guard random.chance(4) else {
                let text = Data(random.bytes(1 + random.below(900)))
                return ("INSERT OR REPLACE INTO notes (number, text) VALUES (?, ?)", [number, text])
            }
            return ("DELETE FROM notes WHERE number BETWEEN ? AND ?", [number, number + 9])
        }
        for _ in 0..<40 {
            var statements: [(String, StatementArguments)] = []
            statements.append(("PRAGMA synchronous = \(random.pick(["FULL", "NORMAL"]))", []))
            statements.append(("BEGIN IMMEDIATE", []))
            for _ in 0..<random.below(3) { statements.append(change()) }
            if random.chance(2) {
                statements.append(("SAVEPOINT here", []))
                for _ in 0...random.below(200) { statements.append(change()) }
                statements.append((random.pick(ends), []))
                for _ in 0..<random.below(40) { statements.append(change()) }
            }
            statements.append((random.pick(["ROLLBACK", "COMMIT", "COMMIT", "COMMIT"]), []))
            for database in both {
                try database.writeWithoutTransaction { db in
                    for (sql, arguments) in statements {
                        if sql == "COMMIT", database === pool {
                            try gathered.committing { try db.execute(sql: sql) }
                        } else {
                            try db.execute(sql: sql, arguments: arguments)
                        }
                    }
                }
            }

            let found = try copied(home)
            #expect(try found == copied(twin))
            if offset.isMultiple(of: 2) { #expect(found.isWhole) }
            switch random.below(6) {
            case 0: for database in both { try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) } }
            case 1: for database in both { try database.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
            default: break
            }
        }
    }

    private struct Found: Equatable {
        let isWhole: Bool
        /// Nil if they cannot be read.
        let rows: [Row]?
    }

    /// What another process finds in a copy of the files.
    private func copied(_ home: TestHome) throws -> Found {
        let copy = try TestHome()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: home.path + suffix, toPath: copy.path + suffix)
        }
        let database = try DatabaseQueue(path: copy.path)
        let integrity = try? database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        let rows = try? database.read { try Row.fetchAll($0, sql: "SELECT * FROM notes ORDER BY number") }
        return Found(isWhole: integrity == "ok", rows: rows)
    }

    @Test func `A commit waits for the disk where it has to, and nowhere else`() throws {
        let home = try TestHome()
        let store = try home.open()
        let (own, other) = (try Device(person: 1), try Device(person: 2))
        try store.registerOwnLog(own.certificate)
        let payload = Payload.post(try Post(salt: .test, text: "one"))
        for number in 0..<3 {
            _ = try store.append(payload, with: own.key, at: 1, publication: .held)
            #expect(try store.lastCommitWaited())
            try other.post("two", time: UInt64(number))
            try store.take(other.chunk(number..<number + 1))
            #expect(try !store.lastCommitWaited())
        }
    }
}
