import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which files beside a backup, or in a home, are leftovers of a backup that was killed.
@Suite struct BackupLeftoversTests {
    private let directory = TemporaryDirectory()

    private static let number = "0123456789abcdef"
    private static let mark = "scurry backup 1\n"
    private static let database = "SQLite format 3\0"

    /// A file as a backup makes it, last written so many seconds ago.
    private func put(_ name: String, _ content: [UInt8], age: Int = 4_000) throws {
        let path = directory.path + "/" + name
        let file = try OpenFile(path, for: .createPrivate)
        try content.withUnsafeBytes { try file.write($0) }
        let time = timeval(tv_sec: Int(SystemClock.wallMilliseconds / 1_000) - age, tv_usec: 0)
        try #require(utimes(path, [time, time]) == 0)
    }

    private func put(_ name: String, _ content: String, age: Int = 4_000) throws {
        try put(name, Array(content.utf8), age: age)
    }

    /// The bytes of a whole backup.
    private func backup() throws -> [UInt8] {
        let path = directory.path + "/whole"
        _ = try directory.home("saved").backUp(to: path)
        return try #require(try FileSystem.read(path, limit: 10_000_000))
    }

    private func has(_ name: String) -> Bool { FileSystem.exists(directory.path + "/" + name) }

    private func removeStale() { BackupFiles.removeStale(besideTarget: directory.path + "/home.backup") }

    @Test(arguments: ["202511280109", "2025112801095959"])
    func `A file that a person named after its day is nobody's leftover`(date: String) throws {
        let layout = try directory.home().layout
        let names = ["home.backup.copy-" + date, "home.backup.partial-" + date, "home/backup-copy-" + date]
        for name in names { try put(name, name.contains("partial") ? Self.mark : Self.database, age: 90_000) }
        removeStale()
        BackupFiles.removeStaleCopies(from: layout)
        for name in names { #expect(has(name), "\(name)") }
    }

    @Test func `What holds something else than a leftover stays, whatever its name is`() throws {
        let layout = try directory.home().layout
        let names = ["a.partial-", "a.copy-", "home/backup-copy-"].map { $0 + Self.number }
        for name in names { try put(name, "notes of a person", age: 90_000) }
        removeStale()
        BackupFiles.removeStaleCopies(from: layout)
        for name in names { #expect(has(name), "\(name)") }
    }

    @Test func `A backup that was killed when it was whole stays, and one that lacks its end does not`() throws {
        let whole = try backup()
        try put("a.partial-" + Self.number, whole)
        for (index, end) in [0, 5, 16, 17, whole.count - 37, whole.count - 1].enumerated() {
            try put("\(index).partial-" + Self.number, Array(whole.prefix(end)))
        }
        // The end of another backup closes none.
        try put("b.partial-" + Self.number, Array(whole.dropLast(69)) + whole.suffix(37))
        removeStale()
        let left = try FileSystem.names(in: directory.path).filter { $0.contains("partial") }
        #expect(left == ["a.partial-" + Self.number])
    }

    @Test func `What backups to other names left is removed, with their copies`() throws {
        try put("monday.partial-" + Self.number, Self.mark)
        for suffix in ["", "-journal"] { try put("monday.copy-\(Self.number)\(suffix)", Self.database, age: 0) }
        try put("tuesday.copy-" + Self.number, [UInt8](repeating: 0, count: 4_096))
        try put("tuesday.copy-\(Self.number)-journal", "as SQLite wrote it")
        removeStale()
        #expect(try FileSystem.names(in: directory.path).isEmpty)
    }

    @Test func `What a running backup may have in use stays`() throws {
        try put("young.partial-" + Self.number, Self.mark, age: 3_000)
        try put("young.copy-" + Self.number, Self.database)
        try put("fresh.copy-" + Self.number, Self.database, age: 3_000)
        try put("locked.partial-" + Self.number, Self.mark)
        try put("open.copy-" + Self.number, Self.database)
        try FileSystem.setPermissions(0o644, of: directory.path + "/open.copy-" + Self.number)
        let before = try FileSystem.names(in: directory.path).sorted()
        let file = try OpenFile(directory.path + "/locked.partial-" + Self.number, for: .overwrite)
        let isLocked = try file.tryLock()
        #expect(isLocked)
        removeStale()
        #expect(try FileSystem.names(in: directory.path).sorted() == before)
        _ = try file.facts()
    }
}
