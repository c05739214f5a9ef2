import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Key files that their owner closed to writing, too.
struct ReadOnlyKeyTests {
    @Test(.enabled(if: Stranger.isPossible, "nobody else can run the program here"))
    func `Keys that their owner may only read are replaced in a copied home`() throws {
        let folder = try ShortFolder()
        if geteuid() == 0 { try #require(chown(folder.path, 65_534, 65_534) == 0) }
        let (home, copy, words) = (folder.file("home"), folder.file("copy"), folder.file("words"))
        let made = try Stranger.run(
            ["init", "--name", "hazel", "--words-to", words],
            ScurryProgram.environment(home: home)
        )
        try #require(made.code == 0, "\(made.err)")
        try Shell.run("cp", "-a", home, copy)
        let keys = ["/keys/node.key", "/keys/device.key"].map { copy + $0 }
        for key in keys { try #require(chmod(key, 0o400) == 0) }
        let restored = try Stranger.run(
            ["id", "restore", "--words-from", words],
            ScurryProgram.environment(home: copy)
        )
        #expect(restored.code == 0 && restored.err.contains("This home has a new node id"), "\(restored.err)")
        for key in keys {
            let facts = try FileManager.default.attributesOfItem(atPath: key)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(.enabled(if: Stranger.isPossible, "nobody else can run the program here"))
    func `A device key that its owner may only read is locked`() throws {
        let folder = try ShortFolder()
        if geteuid() == 0 { try #require(chown(folder.path, 65_534, 65_534) == 0) }
        let (home, phrase) = (folder.file("home"), folder.file("phrase"))
        let environment = ScurryProgram.environment(home: home)
        let made = try Stranger.run(["init", "--name", "hazel", "--words-to", folder.file("words")], environment)
        try #require(made.code == 0, "\(made.err)")
        try Data("a phrase of some words\n".utf8).write(to: URL(fileURLWithPath: phrase))
        try #require(chmod(phrase, 0o600) == 0)
        if geteuid() == 0 { try #require(chown(phrase, 65_534, 65_534) == 0) }
        try #require(chmod(home + "/keys/device.key", 0o400) == 0)
        let locked = try Stranger.run(["lock", "--yes", "--passphrase-file", phrase], environment)
        #expect(locked.code == 0, "\(locked.err)")
        let post = try Stranger.run(["post", "hello"], environment)
        #expect(post.code == 4, "\(post.err)")
    }
}
