import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What of a home is in a backup, and where a backup is put.
@Suite struct BackupPlaceTests {
    private let directory = TemporaryDirectory()

    enum Obstacle: CaseIterable { case pipe, file, linkToNowhere }

    private func put(_ obstacle: Obstacle, at path: String) throws {
        switch obstacle {
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .file: try FileSystem.replace(path, with: "no folder")
        case .linkToNowhere: try #require(symlink("/nowhere", path) == 0)
        }
    }

    @Test func `A draft whose name ends with a date is saved, and a temporary file is not`() throws {
        let layout = try directory.home().layout
        try FileSystem.makeDirectories(layout.drafts)
        for name in ["notes.new-202511300109", "notes.new-0123456789abcdef"] {
            try FileSystem.replace(layout.drafts + "/" + name, with: "a draft")
        }
        let (places, leftOut) = try BackupPlace.found(in: layout)
        #expect(places.map(\.name).filter { $0.hasPrefix("drafts/") } == ["drafts/notes.new-202511300109"])
        #expect(leftOut.isEmpty)
    }

    @Test(arguments: Obstacle.allCases)
    func `What lies in the place of the drafts is left out, and the rest is saved`(obstacle: Obstacle) throws {
        let home = try directory.home()
        let target = directory.path + "/backup"
        try put(obstacle, at: home.layout.drafts)
        #expect(try home.backUp(to: target).leftOut == ["drafts"])
        let back = HomeLayout(directory: directory.path + "/back")
        try FileSystem.makeDirectories(back.data)
        try put(obstacle, at: back.drafts)
        #expect(throws: BackupError.inTheWay(back.drafts)) { try Home.create(at: back, from: target) }
        try FileSystem.remove(back.drafts)
        _ = try Home.create(at: back, from: target)
    }

    @Test func `A backup goes where a link leads`() throws {
        let home = try directory.home()
        try FileSystem.makeDirectories(directory.path + "/disk")
        try #require(symlink("disk", directory.path + "/link") == 0)
        _ = try home.backUp(to: directory.path + "/link/backup")
        #expect(try FileSystem.names(in: directory.path + "/disk") == ["backup"])
    }
}
