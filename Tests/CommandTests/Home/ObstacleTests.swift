import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Something else in the place of a home's file, or a home's directory that serves something else.
struct ObstacleTests {
    enum Obstacle: Sendable { case pipe, directory, link }

    /// Puts an obstacle in the place of a file, which it moves aside.
    private func put(_ obstacle: Obstacle, at path: String) throws {
        if FileManager.default.fileExists(atPath: path) {
            try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        }
        switch obstacle {
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .directory: try #require(mkdir(path, 0o700) == 0)
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".aside")
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(arguments: [
        "config", "network", "peers", "known_nodes", "learned_peers", "keys/device.key", "keys/node.key",
        "reader.sqlite",
        "store.sqlite",
    ])
    func `A pipe in the place of a file is named, and nothing waits for its other end`(name: String) throws {
        let home = try TestHome(name: "hazel")
        let path = home.path + "/" + name
        try put(.pipe, at: path)
        let doctor = try home.run("doctor", "--json")
        #expect(doctor.code == 1)
        let texts = try JSONLines.parse(doctor.out).compactMap { $0["text"] as? String }
        #expect(texts.contains { $0.hasPrefix("\(path) is not a file") }, "\(doctor.out)")
        // Each ends, whether the file matters to it or not; one that did not would be killed.
        for command in [
            ["feed"], ["post", "x"], ["status"], ["config"], ["peers"], ["backup", home.folder.file("backup")],
        ] {
            let ended = try home.run(command)
            #expect(ended.code >= 0, "\(command): \(ended.err)")
        }
    }

    @Test func `A pipe in the place of a draft is named too`() throws {
        let home = try TestHome(name: "hazel")
        let draft = home.path + "/drafts/post"
        try FileManager.default.createDirectory(atPath: home.path + "/drafts", withIntermediateDirectories: true)
        try put(.pipe, at: draft)
        let editor = ["EDITOR": "true"]
        let ended = try home.start(["post"], editor, streams: .terminal(columns: 200)).finish()
        #expect(ended.code != 0 && !ended.out.contains("Post it?"), "\(ended.out)")
    }

    @Test(arguments: [
        ("lock", Obstacle.directory), ("lock", Obstacle.link), ("settings.lock", Obstacle.directory),
        ("store.sqlite-wal", Obstacle.pipe), ("store.sqlite-shm", Obstacle.directory),
        ("control.sock", Obstacle.directory), ("drafts", Obstacle.pipe), ("drafts", Obstacle.link),
        ("keys/network.secret", Obstacle.pipe), ("opened_places", Obstacle.directory),
    ])
    func `What makes post or run fail is a finding of the doctor`(name: String, obstacle: Obstacle) throws {
        let home = try TestHome(name: "hazel")
        let path = home.path + "/" + name
        try put(obstacle, at: path)
        let ended = try home.run("doctor", "--json")
        #expect(ended.code == 1, "\(ended.out)")
        let problems = try JSONLines.parse(ended.out).filter { $0["state"] as? String == "problem" }
        #expect(problems.contains { ($0["text"] as? String)?.hasPrefix(path) == true }, "\(ended.out)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `Root leaves nothing in the home of somebody else`() throws {
        let home = try TestHome(name: "hazel")
        try Shell.run("chown", "-R", "65534:65534", home.path)
        let before = try FileManager.default.subpathsOfDirectory(atPath: home.path).sorted()
        for command in [
            ["config", "log", "info"], ["channel", "join", "cs193"], ["channel", "leave", "cs193"], ["unlock"],
            ["lock", "--yes"], ["join", "--trust", "oak"], ["id", "keep", "--yes"], ["service", "install"],
            ["service", "remove"],
        ] {
            expectFailure(
                try home.run(command),
                1,
                "\(home.path) belongs to another user",
                hint: "SCURRY_HOME=DIR names a home of your own"
            )
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: home.path).sorted() == before)
        for name in before {
            var facts = stat()
            #expect(lstat(home.path + "/" + name, &facts) == 0 && facts.st_uid == 65_534, "\(name)")
        }
    }

    @Test func `A directory that serves something else keeps its mode, and becomes no home`() throws {
        let home = try TestHome()
        try #require(mkdir(home.path, 0o700) == 0)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: home.path + "/mine"))
        try #require(chmod(home.path, 0o755) == 0)
        let link = home.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.path)
        let words = "\(home.path) holds other files than a home's, and a home would close it to other users"
        let hint = "SCURRY_HOME=DIR names an empty directory, or a new one"
        for command in [["init", "--name", "hazel"], ["init", "--hub"], ["id", "restore", "--words-from", "none"]] {
            expectFailure(try home.run(command), 1, words, hint: hint)
            expectFailure(try home.run(command, ["SCURRY_HOME": link]), 1, words, hint: hint)
        }
        #expect(try mode(home.path) == 0o755)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["mine"])
    }

    @Test func `An empty directory becomes a home that is closed to others`() throws {
        let home = try TestHome()
        try #require(mkdir(home.path, 0o700) == 0)
        try #require(chmod(home.path, 0o755) == 0)
        try home.succeed("init", "--hub")
        #expect(try mode(home.path) == 0o700)
    }

    @Test(arguments: ["keys/device.key", "keys/node.key"])
    func `A directory in the place of a key is not one that others can read`(name: String) throws {
        let home = try TestHome(name: "hazel")
        let key = home.path + "/" + name
        try put(.directory, at: key)
        try #require(chmod(key, 0o755) == 0)
        let ended = try home.run("lock", "--yes")
        expectFailure(ended, 1, "\(key) is not a file", hint: "ls -ld \(key) shows what is there instead")
        let doctor = try home.run("doctor", "--json")
        #expect(doctor.code == 1 && !doctor.out.contains("chmod"), "\(doctor.out)")
    }

    @Test func `Settings that are too long are no full disk`() throws {
        let home = try TestHome(name: "hazel")
        let file = home.path + "/config"
        try Data(repeating: 0x23, count: 4_194_304).write(to: URL(fileURLWithPath: file))
        expectFailure(
            try home.run("config"),
            1,
            "\(file): File too large",
            hint: "mv \(file) \(file).old begins it anew, and keeps the old one"
        )
    }

    @Test(arguments: ["network", "keys/device.key"])
    func `Of a link in the place of a file the way out is the file itself`(name: String) throws {
        let home = try TestHome(name: "hazel")
        let file = home.path + "/" + name
        try put(.link, at: file)
        let ended = try home.run("lock", "--yes")
        let hint = "hint: readlink -f \(file) shows the file: put that in the place of the link\n"
        #expect(ended.code == 1 && ended.err.hasSuffix(hint), "\(ended.err)")
    }

    @Test func `A directory in the place of the database is no disk error`() throws {
        let home = try TestHome(name: "hazel")
        let store = home.path + "/store.sqlite"
        try put(.directory, at: store)
        for command in [["feed"], ["post", "x"], ["status"]] {
            expectFailure(
                try home.run(command),
                1,
                "\(store) is not a file",
                hint: "ls -ld \(store) shows what is there instead"
            )
        }
    }
}
