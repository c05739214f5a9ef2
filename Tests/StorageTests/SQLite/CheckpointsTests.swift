import Entries
import Foundation
import Testing

@testable import Storage

/// The write-ahead log is moved into the file by whoever is asked to, and by the writer where nobody is.
@Suite struct CheckpointsTests {
    private let home: TestHome
    private let store: EntryStore
    private let own: Device

    init() throws {
        home = try TestHome()
        store = try home.open()
        own = try Device(person: 1)
        try store.registerOwnLog(own.certificate)
        store.logLength.bound = 64
    }

    private func post(_ number: Int) throws {
        let post = try Post(salt: .test, text: "acorn \(number)")
        _ = try store.append(.post(post), with: own.key, at: 10, publication: .held)
    }

    /// Posts until a checkpoint is due; says how many.
    private func postUntilDue() throws -> Int {
        var count = 0
        while !store.isCheckpointDue {
            try #require(count < 1_000, "it is never due")
            try post(count)
            count += 1
        }
        return count
    }

    private var logBytes: Int {
        let log = try? FileManager.default.attributesOfItem(atPath: home.path + "-wal")
        return log?[.size] as? Int ?? 0
    }

    /// Of the file without its log.
    private func postsInTheFile() throws -> Int {
        let copy = try TestHome()
        try FileManager.default.copyItem(atPath: home.path, toPath: copy.path)
        return try StoreReader(path: copy.path, network: nil).status().posts
    }

    @Test func whatIsInTheLogIsInTheFileAfterwards() throws {
        let count = try postUntilDue()
        #expect(try postsInTheFile() < count)
        store.checkpoint()
        #expect(try postsInTheFile() == count)
        #expect(!store.isCheckpointDue)
        try store.close()
    }

    @Test func theLogBeginsAnew() throws {
        _ = try postUntilDue()
        let length = logBytes
        for _ in 0..<4 {
            store.checkpoint()
            _ = try postUntilDue()
        }
        // A transaction more or less.
        #expect(logBytes < length * 3 / 2)
        try store.close()
    }

    @Test func aReaderIsNotDisturbedAndHoldsUpNobody() throws {
        let count = try postUntilDue()
        try StoreReader(path: home.path, network: nil).reading { db in
            // Its moment is taken with the first look.
            _ = try HomeRow.read(db)
            try post(count)
            store.checkpoint()
            #expect(try HomeRow.read(db).number < store.state().number)
        }
        #expect(!store.isCheckpointDue)
        try store.close()
        #expect(try postsInTheFile() == count + 1)
    }

    @Test func theLogStaysShortWhereNobodyMovesIt() throws {
        _ = try postUntilDue()
        let length = logBytes
        for number in 0..<100 { try post(number) }
        #expect(logBytes < length * 4)
        try store.close()
    }

    @Test func aStoreInMemoryHasNone() throws {
        let store = try EntryStore.inMemory()
        #expect(!store.isCheckpointDue)
        store.checkpoint()
    }
}
