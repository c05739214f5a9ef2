import Entries
import Foundation
import GRDB
import TestSupport
import Synchronization
import Testing

@testable import Storage

@Suite struct ErasureTests {
    private static let words = "Zaunkoenigshoehle"

    @Test func `A delete erases what came before from the file and the log`() throws {
        let home = try TestHome()
        let store = try home.open()
        let device = try Device(person: 1)
        let id = try device.post(Self.words, time: 1, in: ["squirrels"])
        let edit = try device.edit(id, to: Self.words + " again", time: 2)
        let profile = try device.name(Self.words, time: 3)
        try store.take(device.chunk())
        #expect(try home.contains(Self.words))
        try device.delete(id, edit, profile, time: 4)
        try store.take(device.chunk(3..<4))
        #expect(try !home.contains(Self.words))
        #expect(try store.reader.post(id, reader: nil)?.content == .deleted)
        #expect(try store.reader.person(device.identity)?.name == nil)
        #expect(try store.reader.channels(now: .max).isEmpty)
    }

    @Test func `A delete that came first keeps the body out`() throws {
        let home = try TestHome()
        let store = try home.open()
        let phone = try Device(person: 1, device: 1)
        let laptop = try Device(person: 1, device: 2)
        let id = try phone.post(Self.words, time: 1)
        try laptop.delete(id, time: 2)
        try store.take(laptop.chunk())
        let report = try store.take(phone.chunk())
        #expect(report.wantedBodies.isEmpty)
        #expect(try !home.contains(Self.words))
        // Nor does it come in later, by its name.
        try store.take(body: try #require(phone.entries[0].payload), of: phone.place(0))
        #expect(try !home.contains(Self.words))
        #expect(try store.reader.post(id, reader: nil)?.content == .deleted)
    }

    @Test func `A channel that is named and taken back in one transaction leaves no name`() throws {
        let home = try TestHome()
        let store = try home.open()
        let phone = try Device(person: 1, device: 1)
        let laptop = try Device(person: 1, device: 2)
        let id = try phone.post("in passing", time: 1, in: ["zaunkoenig"])
        try laptop.delete(id, time: 2)
        var batch = TakeBatch()
        batch.chunks = try [phone, laptop].map { TakeBatch.SourcedChunk(chunk: try $0.chunk(), source: .peer) }
        try store.take(batch)
        let names = try store.writer.read { try Prepared($0, "SELECT name FROM channels").all { $0.string(0) } }
        #expect(names.isEmpty)
        #expect(try !home.contains("zaunkoenig"))
    }

    @Test func `A pending entry is erased too`() throws {
        let home = try TestHome()
        let store = try home.open()
        let phone = try Device(person: 1, device: 1)
        let laptop = try Device(person: 1, device: 2)
        let id = try phone.post(Self.words, time: 1)
        try phone.post("next", time: 1)
        try laptop.delete(id, time: 2)
        try store.take(phone.chunk(0..<1, size: 2))
        #expect(try home.contains(Self.words))
        try store.take(laptop.chunk())
        #expect(try !home.contains(Self.words))
        try store.take(phone.chunk(1..<2))
        #expect(try store.reader.post(id, reader: nil)?.content == .deleted)
        #expect(try store.state().wantedBodies.isEmpty)
    }

    @Test func `A strangers delete erases nothing`() throws {
        let store = try EntryStore.inMemory()
        let author = try Device(person: 1)
        let stranger = try Device(person: 2)
        let before = try author.post("before", time: 1)
        let after = try author.post("after", time: 2)
        try stranger.delete(before, after, time: 3)
        try store.take(author.chunk(0..<1), stranger.chunk(), author.chunk(1..<2))
        #expect(try store.feed() == [after, before])
        #expect(try store.bodies([author.place(0), author.place(1)], byteLimit: 999).allSatisfy { $0.payload != nil })
    }

    @Test func `A delete ends the want for a body`() throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        let id = try device.post("lost", time: 1)
        try device.delete(id, time: 2)
        try store.take(device.chunk(0..<1, withheld: [0]))
        #expect(try store.state().wantedBodies == [device.place(0)])
        #expect(try store.take(device.chunk(1..<2)).unwantedBodies == [device.place(0)], "a running node hears of it")
        #expect(try store.state().wantedBodies.isEmpty)
        // In one batch it is not even reported.
        let other = try EntryStore.inMemory()
        #expect(try other.take(device.chunk(0..<2, withheld: [0])).wantedBodies.isEmpty)
    }

    @Test func `An erased entry is passed on and proven`() throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        let id = try device.post("gone", time: 1)
        try device.delete(id, time: 2)
        try store.take(device.chunk())
        let want = RangeWant(log: device.log, from: 0, certificate: .send)
        guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 9_999).first else {
            Issue.record("the log is there")
            return
        }
        let verified = ChunkVerifier(network: Device.network).verify(chunk, over: .none).verified
        #expect(verified?.entries.first?.body == .withheld)
        #expect(verified?.entries.first?.id == id)
    }

    @Test func `Words that moved through many pages are gone from all of them`() throws {
        let home = try TestHome()
        let store = try home.open()
        let devices = try (0..<20).map { try Device(person: UInt8($0 + 1)) }
        var random = SeededRandom.announced()
        // Small appends to many logs split pages in the middle of the table again and again.
        for round in 0..<60 {
            var batch = TakeBatch()
            for device in devices {
                let start = device.size
                for number in 0..<2 {
                    let filler = String(repeating: "x", count: random.below(300))
                    try device.post("\(Self.words) \(filler)", time: UInt64(round * 2 + number))
                }
                batch.chunks.append(.init(chunk: try device.chunk(start..<device.size), source: .peer))
            }
            _ = try store.take(batch)
        }
        for device in devices {
            let size = device.size
            device.write(.delete(try Delete(entries: device.entries.map(\.id))), time: 999)
            try store.take(device.chunk(size..<size + 1))
        }
        #expect(try store.feed().isEmpty)
        #expect(try !home.contains(Self.words))
    }

    @Test func `What the budget evicts is not waited for`() throws {
        let home = try TestHome()
        let store = try home.open()
        let (own, stranger) = (try Device(person: 1), try Device(person: 2))
        try store.registerOwnLog(own.certificate)
        let post = Payload.post(try Post(salt: .test, text: Self.words))
        let written = try store.append(post, with: own.key, at: 1, publication: .held)
        for number in 0..<60 {
            try stranger.post(String(repeating: "x", count: 50_000), time: UInt64(number))
            try store.take(stranger.chunk(number..<number + 1))
        }
        // More is here than fits, and nothing was evicted yet.
        store.keeping.withLock { $0 = BudgetKeeping(DiskBudget(bytes: 2 * 1_048_576)) { 1_000_000 } }
        let id = try #require(written.chunk.entries.last).id
        var isWiped: Bool?
        var turns: Int?
        _ = try store.deleteOwn(post: id, with: own.key, at: 2, publication: .held) { _ in
            isWiped = (try? home.contains(Self.words)) == false
            turns = store.keeping.withLock { $0?.turns }
        }
        #expect(isWiped == true && turns == 0)
        let turnsAfter = try #require(store.keeping.withLock { $0?.turns })
        #expect(turnsAfter > 0)
        #expect(try store.roomUse().evictedBodies > 0)
    }

    @Test func `A reader in the way delays the wiping until it is gone`() throws {
        let home = try TestHome()
        let store = try home.open()
        let device = try Device(person: 1)
        let id = try device.post(Self.words, time: 1)
        try store.take(device.chunk())
        let other = try StoreReader(path: home.path, network: nil)
        try device.delete(id, time: 2)
        try device.post("later", time: 3)
        try other.source.read { db in
            _ = try Schema.pragma(db, "user_version")
            _ = try HomeRow.read(db)
            try store.take(device.chunk(1..<2))
        }
        try store.take(device.chunk(2..<3))
        #expect(try !home.contains(Self.words))
    }
}
