import Foundation
import Testing

extension TestHome {
    /// Where `init(name:)` put the words.
    var words: String { folder.file("words") }

    /// A copy of the home's directory, as `cp -a` makes it.
    func copied() throws -> TestHome {
        let copy = try TestHome()
        try Shell.run("cp", "-a", path, copy.path)
        return copy
    }

    /// Puts the database of another home over this one's, in the same file: nothing that the system says changes.
    func overwriteStore(from other: TestHome) throws {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + "/store.sqlite" + suffix) }
        for suffix in ["", "-wal"] {
            let source = other.path + "/store.sqlite" + suffix
            if FileManager.default.fileExists(atPath: source) {
                try Shell.run("cp", source, path + "/store.sqlite" + suffix)
            }
        }
    }

    /// Writes the files of a copy over this home's, as `cp -a` does: each stays the same file.
    func overwrite(with copy: TestHome) throws {
        try Shell.run("cp", "-a", copy.path + "/.", path + "/")
    }

    /// Removes what is kept outside the home: as where a whole machine is brought back.
    func forgetState() throws {
        try FileManager.default.removeItem(atPath: path + "-state")
    }

    /// The texts of the feed, newest first.
    func texts() throws -> [String] {
        try json("feed", "-n", "1000").compactMap { $0["text"] as? String }
    }

    /// Why the home signs nothing; nil if it signs.
    func signingStop() throws -> String? {
        try json("status").first?["signing_stop"] as? String
    }

    /// Joins a node, in place of whoever was joined before, and syncs with it.
    func meet(_ node: TestNode, at location: SourceLocation = #_sourceLocation) throws {
        try? FileManager.default.removeItem(atPath: path + "/peers")
        try succeed("join", try node.address(), at: location)
        try succeed("sync", "--timeout", "20", at: location)
    }
}

extension ShortFolder {
    /// A file that nobody else can read.
    func writeSecret(_ text: String, to name: String) throws {
        try write(text, to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file(name))
    }
}

enum Shell {
    static func run(_ words: String..., at location: SourceLocation = #_sourceLocation) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words)", sourceLocation: location)
    }
}
