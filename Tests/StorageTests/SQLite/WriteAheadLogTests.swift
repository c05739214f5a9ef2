import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

/// When what was written moves from the WAL into the file.
struct WriteAheadLogTests {
    /// A store, and a device whose long posts make the WAL longer by some pages each.
    private func store(in home: TestHome) throws -> (EntryStore, Device) {
        let store = try home.open()
        let device = try Device(person: 1)
        try store.registerOwnLog(device.certificate)
        return (store, device)
    }

    private func fill(_ store: EntryStore, _ device: Device, pages: Int) throws {
        let long = String(repeating: "acorn ", count: 5_000)
        for _ in 0..<pages where store.wal.waiting < pages {
            let payload = Payload.post(try Post(salt: .test, text: long))
            _ = try store.append(payload, with: device.key, at: 1, publication: .held)
        }
    }

    private func fileBytes(_ home: TestHome) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: home.path)[.size] as? Int)
    }

    @Test func `It waits for whomever has told the outcome`() throws {
        let home = try TestHome()
        let (store, device) = try store(in: home)
        #expect(!store.checkpointIfDue())
        let before = try fileBytes(home)
        try fill(store, device, pages: StorageLimits.walPagesDue)
        #expect(store.wal.isDue)
        #expect(try fileBytes(home) == before, "nobody waited for it")
        #expect(store.checkpointIfDue())
        #expect(try fileBytes(home) > before)
        #expect(!store.checkpointIfDue())
        // The WAL begins anew.
        try fill(store, device, pages: 1)
        #expect(store.wal.waiting < StorageLimits.walPagesDue / 2)
    }

    @Test func `It is moved beside what is being written`() throws {
        let home = try TestHome()
        let (store, device) = try store(in: home)
        try fill(store, device, pages: StorageLimits.walPagesDue)
        let before = try fileBytes(home)
        try store.writer.writeWithoutTransaction { db in
            try Durability.replicated.perform(db, store.wal) {
                try Prepared(db, "INSERT INTO set_aside (log) VALUES (?)").run(device.log.raw)
                store.checkpointBeside()
                #expect(try fileBytes(home) > before, "nobody waited for the transaction")
            }
        }
        // What came meanwhile is left to the writer, and the WAL begins anew.
        #expect(store.isCheckpointDue)
        #expect(store.checkpointIfDue())
        try fill(store, device, pages: 1)
        #expect(store.wal.waiting < StorageLimits.walPagesDue / 2)
    }

    @Test func `Who moves it beside waits for an erasure`() throws {
        let home = try TestHome()
        let (store, device) = try store(in: home)
        try fill(store, device, pages: StorageLimits.walPagesDue)
        let before = try fileBytes(home)
        let move = OtherThread { store.checkpointBeside() }
        store.wal.alone {
            #expect(!move.endsSoon())
            #expect((try? fileBytes(home)) == before)
        }
        try move.wait()
        #expect(try fileBytes(home) > before)
    }

    @Test func `Where nobody says so it is moved within a commit`() throws {
        let home = try TestHome()
        let (store, device) = try store(in: home)
        let before = try fileBytes(home)
        try fill(store, device, pages: StorageLimits.walPagesMost)
        #expect(try fileBytes(home) > before)
    }

    @Test func `A budget bounds it within the commit`() throws {
        let home = try TestHome()
        let (store, device) = try store(in: home)
        try store.keep(within: DiskBudget(bytes: StorageLimits.smallestBudgetBytes)) { 1 }
        let before = try fileBytes(home)
        try fill(store, device, pages: StorageLimits.walPagesDue)
        #expect(try fileBytes(home) > before)
    }
}
