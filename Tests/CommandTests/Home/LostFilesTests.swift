import Foundation
import Testing

/// Files of a home that are gone, empty or garbage: said as they are, by whatever is typed.
struct LostFilesTests {
    private static let restore = "scurry restore BACKUP, or scurry id restore with the words, in a new SCURRY_HOME"

    private func remove(_ names: String..., from home: TestHome) {
        for name in names { try? FileManager.default.removeItem(atPath: home.path + "/" + name) }
    }

    @Test func `A database that is empty is a damaged one to a node too`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        remove("store.sqlite-wal", "store.sqlite-shm", from: home)
        try Data().write(to: URL(fileURLWithPath: home.path + "/store.sqlite"))
        let damage = "the database is damaged (the file is empty)"
        expectFailure(try home.run("run", "--listen", "127.0.0.1:0"), 1, damage, hint: Self.restore)
        // Nothing was begun in it: it is still said.
        expectFailure(try home.run("whoami"), 1, damage, hint: Self.restore)
        #expect(try home.run("doctor").out.contains("problem  database  \(damage)"))
    }

    @Test func `A key that is gone is missed by name, and nobody is called a hub`() throws {
        let home = try TestHome(name: "hazel")
        remove("keys/device.key", from: home)
        let words = "\(home.path)/keys/device.key is missing: without the key nothing is signed here"
        let hint = "scurry id restore, with the recovery words, writes another"
        for command in [["vote", "up", "abcd"], ["id", "keep", "--yes"], ["lock", "--yes"], ["unlock"]] {
            let ended = try home.run(command)
            if command[0] == "vote" {
                #expect(ended.code != 0, "\(ended.err)")
            } else {
                expectFailure(ended, 1, words, hint: hint)
            }
        }
        let post = try home.run("post", "x")
        #expect(post.code == 1 && post.err.contains(words) && post.err.contains(hint), "\(post.err)")
        let doctor = try home.run("doctor", "--json")
        #expect(doctor.code == 1 && doctor.out.contains(words), "\(doctor.out)")
        for command in ["status", "whoami"] {
            #expect(try home.succeed(command).contains("missing: scurry id restore, with the recovery words"))
        }
    }

    @Test func `Read marks that are garbage are named, and begin anew where the file is moved`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before", "-c", "cs193")
        let file = home.path + "/reader.sqlite"
        remove("reader.sqlite-wal", "reader.sqlite-shm", from: home)
        try Data("garbage that is no database, and long enough to be read as one".utf8)
            .write(to: URL(fileURLWithPath: file))
        let words = "\(file) is damaged: read marks and joined channels are out of reach"
        let hint = "mv \(file) \(file).damaged begins them anew"
        for command in [["channel", "join", "cs193"], ["channel", "use", "cs193"]] {
            let ended = try home.run(command)
            #expect(ended.code == 1 && ended.err.hasSuffix("error: \(words)\nhint: \(hint)\n"), "\(ended.err)")
        }
        let doctor = try home.run("doctor", "--json")
        #expect(doctor.code == 1 && doctor.out.contains(words), "\(doctor.out)")
        try FileManager.default.moveItem(atPath: file, toPath: file + ".damaged")
        try home.succeed("channel", "join", "cs193")
        #expect(try !home.run("doctor").out.contains("marks"))
    }

    @Test func `Read marks of a later version are noted once, left alone, and gone on without`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before", "-c", "cs193")
        try home.succeed("channel", "join", "oaks")
        try home.change("PRAGMA user_version = 3", of: "reader.sqlite")
        let file = home.path + "/reader.sqlite"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        let words = "\(file) has version 3, this program knows up to 2: a newer scurry made it"
        let note = "scurry: note: read marks and joined channels are out of reach: \(words)\n"
        let feed = try home.run("feed")
        #expect(feed.code == 0 && feed.err == note && feed.out.contains("before"), "\(feed)")
        let hint = "install the newer scurry again: make install"
        for command in [["channel", "join", "cs193"], ["channel", "use", "cs193"]] {
            let ended = try home.run(command)
            #expect(ended.code == 1 && ended.err.hasSuffix("error: \(words)\nhint: \(hint)\n"), "\(ended.err)")
        }
        let doctor = try home.run("doctor", "--json")
        let marks = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "marks" })
        #expect(doctor.code == 1 && marks["text"] as? String == words && marks["help"] as? String == hint)
        #expect(try home.run("post", "after").code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    }

    @Test func `Without the file that names the network the home is not called absent`() throws {
        let home = try TestHome(name: "hazel")
        remove("network", from: home)
        for command in [["whoami"], ["feed"], ["run"], ["doctor"]] {
            let ended = try home.run(command)
            #expect(ended.code == 1 && ended.err.contains("\(home.path)/network is missing\nhint: \(Self.restore)\n"))
        }
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root"))
    func `A database that cannot be written is a finding of the doctor`() throws {
        let home = try TestHome(name: "hazel")
        let file = home.path + "/store.sqlite"
        let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" && exec \"$SCURRY\" doctor"
        let ended = try Mounts.run(script, file, environment: home.environment())
        #expect(ended.code == 1 && ended.out.contains("problem  database  \(file) cannot be written"), "\(ended)")
        #expect(ended.out.contains("ls -l \(file)"), "\(ended)")
    }
}
