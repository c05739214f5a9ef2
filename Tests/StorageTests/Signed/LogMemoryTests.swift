import Entries
import GRDB
import Sodium
import Testing

@testable import Storage

/// That the rows in memory are those of the file is looked at by `Stores.take` and by each `derivedDump`, too.
@Suite struct LogMemoryTests {
    @Test func `The row of a log that got something is in memory`() throws {
        let device = try Device(person: 1, votes: 3)
        let store = try EntryStore.inMemory()
        for end in 1...3 {
            try store.take(device.chunk(end - 1..<end, size: end))
            let row = try #require(store.rows[device.log])
            #expect(row.size == UInt64(end))
            #expect(store.rows[number: row.number] == row)
        }
    }

    @Test func `A row in memory is not read from the file`() throws {
        let device = try Device(person: 1, votes: 2)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<1, size: 1))
        // Nothing could be read from this row any more.
        try store.writer.write { try $0.execute(sql: "UPDATE logs SET tip = zeroblob(96)") }
        #expect(throws: StorageError.self) { try store.prefixes(of: [device.log]) }
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: try device.chunk(1..<2, size: 2), source: .peer)]
        #expect(try store.take(batch).stored.map(\.size) == [2])
        store.expectRowsAsInTheFile()
    }

    @Test func `A transaction that was rolled back leaves nothing in memory`() throws {
        let device = try Device(person: 1, votes: 2)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<1, size: 1))
        // The rows of logs are written before that of the home.
        try store.writer.write { db in
            try db.execute(sql: "CREATE TRIGGER no BEFORE UPDATE ON home BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        #expect(throws: StorageError.self) { try store.take(device.chunk(1..<2, size: 2)) }
        #expect(store.rows.count == 0)
        try store.writer.write { try $0.execute(sql: "DROP TRIGGER no") }
        #expect(try store.take(device.chunk(1..<2, size: 2)).stored.map(\.size) == [2])
    }

    @Test func `A transaction that is no intake leaves nothing in memory`() throws {
        let device = try Device(person: 1, votes: 2)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<2, size: 2))
        #expect(store.rows.count == 1)
        _ = try store.rebuild()
        #expect(store.rows.count == 0)
    }

    @Test func `A log with a gap is not in memory`() throws {
        let device = try Device(person: 1, votes: 4)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<1, size: 1))
        let state = try #require(store.rows[device.log])
        let memory = LogMemory()
        memory.keep(state)
        #expect(memory[device.log] == state)
        var open = state
        let before = try #require(LogRange(bounds: 0..<1, nodes: state.tip.nodes))
        let rest = try #require(LogRange(bounds: 1..<2, nodes: [.zero]))
        open.gap = GapTable.Gap(missing: try #require(LogGap(before: before, rest: rest)), head: nil)
        memory.keep(open)
        #expect(memory[device.log] == nil)
        #expect(memory[number: state.number] == nil)
    }

    @Test func `Memory is bounded`() throws {
        let memory = LogMemory()
        for index in 0..<StorageLimits.rememberedLogs + 10 {
            let device = try Device(person: 1, serial: UInt64(index))
            memory.keep(LogState(number: Int64(index), identity: 1, device.certificate))
            #expect(memory.count <= StorageLimits.rememberedLogs)
        }
        #expect(memory.count == 10)
        #expect(memory[number: 0] == nil)
    }
}
