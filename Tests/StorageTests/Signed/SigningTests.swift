import Entries
import GRDB
import Testing

@testable import Storage

/// What may be signed, and what ever left this home.
@Suite struct SigningTests {
    private func own(_ home: TestHome? = nil, posts: Int) throws -> (EntryStore, Device) {
        let device = try Device(person: 1)
        let store = try home?.open() ?? .inMemory()
        try store.registerOwnLog(device.certificate)
        for post in 0..<posts { try device.post("\(post)", time: 1) }
        return (store, device)
    }

    /// SQLite's number for how much the last commit waited for the disk: 1 normal, 2 full.
    private func synchronous(_ store: EntryStore) throws -> Int? {
        try store.writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    }

    private func chunks(_ chunk: VerifiedChunk) -> TakeBatch {
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: chunk, source: NodeID(raw: Device.network.raw))]
        return batch
    }

    @Test func `A stop is taken with what proves it and outlives a restart`() throws {
        let home = try TestHome()
        let (store, device) = try own(home, posts: 0)
        for text in ["one", "two", "three"] {
            let post = Payload.post(try Post(salt: .test, text: text))
            _ = try store.append(post, with: device.key, at: 1, publication: text == "three" ? .cleared : .held)
        }
        #expect(try store.state().own?.published == 3)
        var batch = TakeBatch()
        batch.stop = OwnLogStop(proof: .otherBranch, published: 2)
        batch.setAside = [device.log]
        _ = try store.take(batch)
        #expect(try synchronous(store) == 2)
        let stopped = OwnLogState(log: device.log, size: 3, published: 2, signing: .stopped)
        #expect(try store.state().own == stopped, "what was noted and stayed here was never sent")
        try store.close()
        let again = try home.open()
        #expect(try again.state().own == stopped)
        #expect(throws: AppendError.refused(.signingStopped)) {
            let post = Payload.post(try Post(salt: .test, text: "x"))
            _ = try again.append(post, with: device.key, at: 1, publication: .held)
        }
    }

    @Test func `What leaves is on the disk first`() throws {
        let (store, _) = try own(posts: 1)
        _ = try store.take(chunks(try Device(person: 2).written("x")))
        #expect(try synchronous(store) == 1)
        var batch = TakeBatch()
        batch.published = 1
        _ = try store.take(batch)
        #expect(try synchronous(store) == 2)
    }

    @Test func `What others have has left`() throws {
        let (store, device) = try own(posts: 5)
        _ = try store.take(chunks(try device.chunk(0..<2)))
        #expect(try store.state().own?.published == 2)
        // Proven under a greater head: that covers what is here, and is not complete.
        _ = try store.take(chunks(try device.chunk(2..<3, size: 5)))
        #expect(try store.state().own == OwnLogState(log: device.log, size: 2, published: 2, signing: .stopped))
        var batch = chunks(try device.chunk(3..<5))
        batch.stop = OwnLogStop(proof: .longer, published: 0)
        _ = try store.take(batch)
        #expect(try store.state().own == OwnLogState(log: device.log, size: 5, published: 5, signing: .stopped))
    }

    @Test func `An own chunk that does not fit raises nothing`() throws {
        let (store, device) = try own(posts: 4)
        let post = Payload.post(try Post(salt: .test, text: "here"))
        _ = try store.append(post, with: device.key, at: 1, publication: .held)
        _ = try store.take(chunks(try device.chunk(2..<4)))
        #expect(try store.state().own == OwnLogState(log: device.log, size: 1, published: 0))
    }
}

extension Device {
    /// A post, and the chunk that carries it.
    fileprivate func written(_ text: String) throws -> VerifiedChunk {
        try post(text, time: 1)
        return try chunk()
    }
}
