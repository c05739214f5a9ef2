import Testing

@testable import Transport

/// The files of a backup, or of a write, that is under way.
@Suite struct BackupFilesTests {
    private let directory = TemporaryDirectory()

    @Test func `A copy of a backup that runs is left alone, and of one that ended is removed`() throws {
        let layout = try directory.home().layout
        let copy = layout.data + "/backup-copy-0123456789abcdef"
        try FileSystem.replace(copy, with: "SQLite format 3\0")
        var turns = [try #require(BackupTurn.share(of: layout)), try #require(BackupTurn.share(of: layout))]
        while !turns.isEmpty {
            let lock = try HomeLock(layout)
            #expect(FileSystem.exists(copy))
            withExtendedLifetime(lock) {}
            turns.removeLast()
        }
        let lock = try HomeLock(layout)
        #expect(!FileSystem.exists(copy))
        withExtendedLifetime(lock) {}
    }

    @Test func `All that a backup writes before it is whole is announced, and gone afterwards`() throws {
        let home = try directory.home()
        let target = directory.path + "/backup"
        var files: [String] = []
        _ = try home.backUp(to: target) { files = $0 }
        #expect(files.contains { $0.hasPrefix(target + ".partial-") })
        #expect(files.contains { $0.hasPrefix(home.layout.data + "/backup-copy-") && $0.hasSuffix("-journal") })
        #expect(files.allSatisfy { !FileSystem.exists($0) })
        #expect(FileSystem.exists(target))
    }

    @Test func `A temporary file that somebody is writing is left alone`() throws {
        let path = directory.path + "/config"
        let temporary = path + ".new-0123456789abcdef"
        do {
            let file = try OpenFile(temporary, for: .createPrivate)
            let isLocked = try file.tryLock()
            #expect(isLocked)
            try FileSystem.replace(path, with: "one")
            #expect(FileSystem.exists(temporary))
            _ = try file.facts()
        }
        try FileSystem.replace(path, with: "two")
        #expect(!FileSystem.exists(temporary))
        #expect(try FileSystem.names(in: directory.path) == ["config"])
    }
}
