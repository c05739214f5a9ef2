import Sodium
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What is thrown away as an unfinished home, and what never.
@Suite struct UnfinishedMarkTests {
    private let directory = TemporaryDirectory()
    private var layout: HomeLayout { HomeLayout(directory: directory.path + "/home") }

    /// Makes a person's directory with these files, which begin with their own names.
    private func make(_ names: [String], _ mode: UInt32 = 0o755) throws {
        try FileSystem.makeDirectories(layout.data)
        for name in names {
            let path = layout.data + "/" + name
            if let folder = FileSystem.parent(of: path) { try FileSystem.makeDirectories(folder) }
            try FileSystem.replace(path, with: name)
        }
        try FileSystem.setPermissions(mode, of: layout.data)
    }

    private func expectUntouched(_ names: [String]) throws {
        for name in names {
            #expect(try FileSystem.readText(layout.data + "/" + name, limit: 100) == name)
        }
    }

    @Test func `A person's file of that name makes no home of their directory`() throws {
        let names = ["unfinished", "keys/id_rsa", "store.txt"]
        try make(names)
        #expect(throws: HomeError.notEmpty(layout.data)) { try Home.create(at: layout, network: "campus", for: .hub) }
        try expectUntouched(names)
        #expect(try directory.permissions(layout.data) == 0o755)
    }

    @Test func `Nor does it together with a file that a home has`() throws {
        let names = ["unfinished", "keys/id_rsa", "network"]
        try make(names)
        #expect(throws: HomeError.exists(layout.data)) { try Home.create(at: layout, network: "campus", for: .hub) }
        try expectUntouched(names)
    }

    @Test func `An empty file as a person makes it is not the mark`() throws {
        try make(["keys/id_rsa"])
        try FileSystem.replace(layout.unfinished, with: "")
        try FileSystem.setPermissions(0o644, of: layout.unfinished)
        #expect(throws: HomeError.notEmpty(layout.data)) { try Home.create(at: layout, network: "campus", for: .hub) }
        try expectUntouched(["keys/id_rsa"])
    }

    @Test func `Where the mark is to be, a person's file is not overwritten`() throws {
        try make(["unfinished"], 0o700)
        let taken = SystemError(call: "open", path: layout.unfinished, code: EEXIST)
        #expect(throws: HomeError.system(taken)) { try Home.create(at: layout, network: "campus", for: .hub) }
        let backup = directory.path + "/backup"
        _ = try directory.home("saved").backUp(to: backup)
        #expect(throws: BackupError.inTheWay(layout.unfinished)) { try Home.create(at: layout, from: backup) }
        try expectUntouched(["unfinished"])
    }

    @Test(arguments: ["directory", "pipe", "link"])
    func `Only a file is the mark`(what: String) throws {
        let home = try directory.home()
        let path = home.layout.unfinished
        switch what {
        case "directory": try FileSystem.makeDirectories(path)
        case "pipe": try #require(mkfifo(path, 0o600) == 0)
        default:
            try FileSystem.replace(path + ".txt", with: "")
            try #require(symlink(path + ".txt", path) == 0)
        }
        #expect(try Home(opening: home.layout) == home)
        #expect(throws: HomeError.exists(home.layout.data)) { try directory.home() }
        #expect(try home.keys().device != nil)
    }

    @Test func `Of the keys of an unfinished home the program's own are removed`() throws {
        let home = try directory.home()
        let lost = try home.keys().node.publicKey
        let mine = layout.keys + "/id_rsa"
        try FileSystem.replace(mine, with: "mine")
        try FileSystem.replace(layout.nodeKey + ".new-0123456789abcdef", with: "half a key")
        try FileSystem.replace(layout.unfinished, with: "")
        let other = try Home.create(at: layout, network: "other", for: .hub)
        #expect(try other.keys().node.publicKey != lost)
        #expect(try FileSystem.readText(mine, limit: 100) == "mine")
        #expect(try FileSystem.names(in: layout.keys).sorted() == ["id_rsa", "node.key"])
    }
}
