import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct DatabaseFilesTests {
    private let directory = TemporaryDirectory()

    private func files(_ layout: HomeLayout) throws -> DatabaseFiles {
        try FileSystem.makeDirectories(layout.data)
        for suffix in ["", "-wal"] { try FileSystem.replace(layout.store + suffix, with: "a file") }
        return DatabaseFiles(of: layout)
    }

    private func layout() -> HomeLayout { HomeLayout(directory: directory.path + "/home") }

    @Test func `Files that are written are the same ones`() throws {
        let layout = layout()
        let files = try files(layout)
        #expect(files.lost == nil)
        try OpenFile(layout.store, for: .lock).put(Array("written".utf8))
        try FileSystem.setPermissions(0, of: layout.store)
        #expect(files.lost == nil)
    }

    @Test(arguments: ["", "-wal"]) func `One that is removed or replaced is named`(suffix: String) throws {
        let layout = layout()
        let files = try files(layout)
        try FileSystem.rename(layout.store + suffix, to: layout.store + ".aside")
        #expect(files.lost == layout.store + suffix)
        // Beside the first, which keeps its inode: another file.
        try FileSystem.replace(layout.store + suffix, with: "a file")
        #expect(files.lost == layout.store + suffix)
        try FileSystem.rename(layout.store + ".aside", to: layout.store + suffix)
        #expect(files.lost == nil)
    }

    @Test func `A folder that is gone takes them along, one that cannot be looked into does not`() throws {
        let layout = layout()
        let files = try files(layout)
        try FileSystem.rename(layout.data, to: layout.data + ".aside")
        #expect(files.lost == layout.store)
        // ENOTDIR
        try FileSystem.replace(layout.data, with: "no folder")
        #expect(files.lost == layout.store)
        // ELOOP, for whatever keeps an answer from coming, as EIO or ESTALE would.
        try FileSystem.remove(layout.data)
        #expect(symlink(layout.data, layout.data) == 0)
        #expect(files.lost == nil)
        try FileSystem.remove(layout.data)
        try FileSystem.rename(layout.data + ".aside", to: layout.data)
        #expect(files.lost == nil)
    }
}
