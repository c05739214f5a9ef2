import Entries
import Foundation
import Testing

@testable import Storage

/// Words that a reader held back in the write-ahead log are wiped once the reader has gone, without another write.
@Suite struct OwedScrubTests {
    /// A store with a post of the person's own.
    private func writtenWord(_ home: TestHome) throws -> (EntryStore, Device, EntryID) {
        let own = try Device(person: 1)
        let store = try home.open()
        try store.registerOwnLog(own.certificate)
        let post = try store.append(
            .post(try Post(salt: .test, text: "quetzalcoatl")),
            with: own.key,
            at: 10,
            publication: .held
        )
        let id = try #require(post.chunk.entries.last).id
        return (store, own, id)
    }

    /// Deletes while somebody reads, and lets them go.
    private func deleteBesideAReader(_ home: TestHome) throws -> EntryStore {
        let (store, own, id) = try writtenWord(home)
        try StoreReader(path: home.path, network: nil).reading { db in
            // Its moment is taken with the first look.
            _ = try HomeRow.read(db)
            _ = try store.deleteOwn(post: id, with: own.key, at: 20, publication: .held)
        }
        #expect(try home.contains("quetzalcoatl"))
        return store
    }

    @Test func `A quiet store wipes them when it is asked`() throws {
        let home = try TestHome()
        let store = try deleteBesideAReader(home)
        store.scrubIfOwed()
        #expect(try !home.contains("quetzalcoatl"))
        try store.close()
    }

    @Test func `The end wipes them`() throws {
        let home = try TestHome()
        try deleteBesideAReader(home).close()
        #expect(try !home.contains("quetzalcoatl"))
    }

    /// Two that move pages at once would be in each other's way, and SQLite does not let the second wait.
    @Test func `An erasure waits for whomever moves the log`() throws {
        let home = try TestHome()
        let (store, own, id) = try writtenWord(home)
        let deletion = OtherThread { [key = own.key] in
            _ = try store.deleteOwn(post: id, with: key, at: 20, publication: .held)
        }
        try store.wal.alone {
            // A reader is in the way as one who moves is.
            try StoreReader(path: home.path, network: nil).reading { db in
                _ = try HomeRow.read(db)
                #expect(!deletion.endsSoon())
            }
        }
        try deletion.wait()
        #expect(try !home.contains("quetzalcoatl"))
    }

    @Test func `The file alone is whole once it is closed`() throws {
        let home = try TestHome()
        let own = try Device(person: 1)
        let store = try home.open()
        try store.registerOwnLog(own.certificate)
        _ = try store.append(.post(try Post(salt: .test, text: "alone")), with: own.key, at: 10, publication: .held)
        try store.close()
        let copy = try TestHome()
        try FileManager.default.copyItem(atPath: home.path, toPath: copy.path)
        #expect(try StoreReader(path: copy.path, network: nil).status().posts == 1)
    }
}
