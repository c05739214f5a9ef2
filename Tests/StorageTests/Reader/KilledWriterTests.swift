import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

/// What a command that was killed while it noted something leaves of `reader.sqlite`.
struct KilledWriterTests {
    /// A file that says "cs193", and of a change that was never committed all that was on the disk.
    private func left(in home: TestHome) throws -> ReaderFile {
        let path = home.directory + "/reader.sqlite"
        try ReaderFile(path: path).join(try #require(Channel("cs193")))
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "BEGIN IMMEDIATE")
            try db.execute(sql: "UPDATE joined SET name = 'other'")
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: home.directory + "/killed" + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        return ReaderFile(path: home.directory + "/killed")
    }

    @Test func `Who reads next takes it back`() throws {
        let home = try TestHome()
        let file = try left(in: home)
        #expect(try file.state().joined.map(\.description) == ["cs193"])
        #expect(!FileManager.default.fileExists(atPath: file.path + "-journal"))
    }

    @Test func `It can be copied`() throws {
        let home = try TestHome()
        let file = try left(in: home)
        let copy = ReaderFile(path: home.directory + "/copy")
        try file.copy(to: copy.path)
        #expect(try copy.state().joined.map(\.description) == ["cs193"])
    }
}
