import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

@Suite struct TakeTests {
    @Test func `A chunk changes the frontier once`() throws {
        let device = try Device(person: 1)
        for number in 0..<3 { try device.post("\(number)", time: UInt64(number)) }
        let store = try EntryStore.inMemory()
        let report = try store.take(device.chunk())
        let row = try #require(report.changes.first)
        #expect(report.changes.count == 1 && row.number == 1 && row.size == 3 && row.time == 2 && row.source == .peer)
        #expect(row.identity == device.identity && row.item.root == device.range(0..<3).root)
        #expect(report.stored == [LogSize(log: device.log, size: 3)])
        #expect(try store.take(device.chunk()).changes.isEmpty)
        #expect(try store.state().frontier == [row])
        #expect(try store.state().number == 1)
    }

    @Test func `A chunk that does not continue its log is skipped`() throws {
        let device = try Device(person: 1)
        for number in 0..<9 { try device.post("\(number)", time: UInt64(number)) }
        let store = try EntryStore.inMemory()
        #expect(try store.take(device.chunk(3..<6)).stored == [LogSize(log: device.log, size: 0)])
        #expect(try store.prefixes(of: [device.log]).isEmpty)
        let report = try store.take(device.chunk(0..<3), device.chunk(6..<9), device.chunk(3..<6), device.chunk(2..<6))
        #expect(report.stored == [LogSize(log: device.log, size: 6)])
        #expect(report.changes.map(\.size) == [6])
    }

    @Test func `Pending entries are invisible until their head is complete also after a restart`() throws {
        let home = try TestHome()
        let device = try Device(person: 1)
        for number in 0..<8 { try device.post("\(number)", time: UInt64(number)) }
        do {
            let store = try home.open()
            try store.take(device.chunk(0..<2, size: 2), device.chunk(2..<5, size: 8))
            #expect(try store.feed().count == 2)
            try store.close()
        }
        let store = try home.open()
        #expect(try store.feed().count == 2)
        let state = try store.state()
        #expect(state.pending == [LogSize(log: device.log, size: 5)])
        #expect(state.frontier.map(\.size) == [2])
        #expect(try store.prefixes(of: [device.log])[device.log]?.range == device.range(0..<5))
        #expect(try store.reader.status().pendingEntries == 3)
        #expect(try store.reader.post(device.entries[3].id, reader: nil) == nil)
        try store.take(device.chunk(5..<8, size: 8))
        #expect(try store.feed() == device.entries.reversed().map(\.id))
        #expect(try store.state().pending.isEmpty)
    }

    @Test func `A restarted log ends at its head and takes another head`() throws {
        let device = try Device(person: 1)
        for number in 0..<700 { try device.post("\(number)", time: UInt64(number)) }
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<300, size: 300), device.chunk(300..<600, size: 700))
        var batch = TakeBatch()
        batch.restarts = [device.log]
        #expect(try store.take(batch).stored == [LogSize(log: device.log, size: 300)])
        #expect(try store.state().pending.isEmpty)
        #expect(try store.prefixes(of: [device.log])[device.log]?.range == device.range(0..<300))
        #expect(try store.reader.status().pendingEntries == 0)
        #expect(try store.reader.post(device.entries[400].id, reader: nil) == nil)
        try store.take(device.chunk(300..<520, size: 520))
        #expect(try store.feed(page: 600) == device.entries.prefix(520).reversed().map(\.id))
        #expect(try store.prefixNodes(of: device.log, end: 512) == device.range(0..<512).nodes)
    }

    @Test func `Two branches of a log are never mixed`() throws {
        let first = try Device(person: 1)
        let second = try Device(person: 1)
        for device in [first, second] { try device.post("common", time: 1) }
        try first.post("one", time: 2)
        for text in ["other", "more"] { try second.post(text, time: 2) }
        let store = try EntryStore.inMemory()
        try store.take(first.chunk(0..<2))
        // Proven, but over a history that is not the one stored here.
        #expect(try store.take(second.chunk(2..<3)).changes.isEmpty)
        #expect(try store.feed() == [first.entries[1].id, first.entries[0].id])
    }

    @Test func `Numbers grow through restarts and each run knows its range`() throws {
        let home = try TestHome()
        let first = try Device(person: 1)
        let second = try Device(person: 2)
        for device in [first, second] { try device.post("x", time: 1) }
        let one = try home.open()
        try one.take(first.chunk())
        let id = one.storeID
        try one.close()
        let two = try home.open()
        #expect(two.storeID != id)
        #expect(try two.take(second.chunk()).changes.map(\.number) == [2])
        #expect(
            try two.state().ranges == [
                StoreIDRange(store: two.storeID, first: 1, last: 2), StoreIDRange(store: id, first: 0, last: 1),
            ]
        )
    }

    @Test func `A want that is noted anew outlives the one that ends`() throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        var batch = TakeBatch()
        batch.wants = [LogSize(log: device.log, size: 4)]
        batch.forgottenWants = [device.log]
        _ = try store.take(batch)
        #expect(try store.state().wants == batch.wants)
        batch.wants = []
        _ = try store.take(batch)
        #expect(try store.state().wants.isEmpty)
    }

    @Test func `Cursors wants and logs set aside are kept`() throws {
        let home = try TestHome()
        let device = try Device(person: 1)
        let forked = try Device(person: 2)
        for number in 0..<5 { try device.post("\(number)", time: 1) }
        let cursor = Cursor(store: .random(), number: 77, scope: Scope.identities([IdentityID(raw: .zero)]).digest)
        var batch = TakeBatch()
        batch.cursors = [
            .init(peer: .peer, cursor: Cursor(store: .random(), number: 1)), .init(peer: .peer, cursor: cursor),
        ]
        batch.wants = [LogSize(log: device.log, size: 4), LogSize(log: forked.log, size: 9)]
        batch.setAside = [forked.log]
        do {
            let store = try home.open()
            _ = try store.take(batch)
            try store.close()
        }
        let store = try home.open()
        var state = try store.state()
        #expect(state.cursors == [.init(peer: .peer, cursor: cursor)])
        var later = TakeBatch()
        later.forgottenCursors = [.peer]
        _ = try store.take(later)
        #expect(try store.state().cursors.isEmpty)
        #expect(state.wants == [LogSize(log: device.log, size: 4)])
        #expect(state.setAside == [forked.log])
        try store.take(device.chunk(0..<3))
        #expect(try store.state().wants.count == 1)
        try store.take(device.chunk(3..<5))
        state = try store.state()
        #expect(state.wants.isEmpty)
    }

    @Test func `A body is kept only if it is the entrys`() throws {
        let device = try Device(person: 1)
        try device.post("late", time: 1)
        let other = try Device(person: 2)
        try other.post("here", time: 2)
        let store = try EntryStore.inMemory()
        let report = try store.take(device.chunk(withheld: [0]), other.chunk())
        #expect(report.wantedBodies == [device.place(0)])
        #expect(try store.reader.post(device.entries[0].id, reader: nil)?.content == .wanted)
        let mark = try store.reader.latestArrival()

        let lie = try store.take(body: Array("something else".utf8), of: device.place(0))
        #expect(lie.refusedBodies.count == 1)
        var sameLength = try #require(device.entries[0].payload)
        sameLength[3] ^= 1
        #expect(try store.take(body: sameLength, of: device.place(0)).refusedBodies.count == 1)
        #expect(try store.state().wantedBodies == [device.place(0)])

        let body = try #require(device.entries[0].payload)
        #expect(try store.take(body: body, of: device.place(0)).refusedBodies.isEmpty)
        #expect(try store.text(of: device.entries[0].id) == "late")
        #expect(try store.state().wantedBodies.isEmpty)
        #expect(
            try store.reader.arrivals(after: mark, FeedQuery(now: 9, reader: nil)).posts.map(\.id) == [
                device.entries[0].id
            ]
        )
        // Once more, and of entries that never lacked one or are not there.
        for place in [device.place(0), other.place(0), device.place(5)] {
            #expect(try store.take(body: body, of: place).refusedBodies.isEmpty)
        }
    }

    @Test func `Bodies that may not come are not wanted`() throws {
        let device = try Device(person: 1)
        device.write(kind: 3, [1, 2], flags: 1, time: 1)
        device.write(kind: 77, [1, 2], flags: 1, time: 1)
        device.write(kind: 7, [1, 2], time: 1)
        let store = try EntryStore.inMemory()
        let report = try store.take(device.chunk(withheld: [0, 1, 2]))
        #expect(report.wantedBodies == [device.place(1), device.place(2)])
    }

    @Test func `Two stores that exchange ranges converge`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<8 {
            let history = try RandomHistory(&random, entries: 60)
            let stores = [try EntryStore.inMemory(), try EntryStore.inMemory()]
            for device in history.devices {
                for store in stores where device.size > 0 {
                    let part = random.below(device.size + 1)
                    if part > 0 { try store.take(device.chunk(0..<part)) }
                }
            }
            try exchange(from: stores[0], to: stores[1])
            try exchange(from: stores[1], to: stores[0])
            #expect(try stores[0].reader.fingerprint() == stores[1].reader.fingerprint())
            #expect(try stores[0].derivedDump() == stores[1].derivedDump())
        }
    }

    /// Fetches, in small answers, all that the other store has more of.
    private func exchange(from sender: EntryStore, to receiver: EntryStore) throws {
        let verifier = ChunkVerifier(network: Device.network)
        while true {
            let offers = try sender.state().frontier
            let prefixes = try receiver.prefixes(of: offers.map(\.log))
            let wants = offers.compactMap { row -> RangeWant? in
                let prefix = prefixes[row.log] ?? .none
                let held = prefix.range.bounds.upperBound
                guard held < row.size else { return nil }
                return RangeWant(log: row.log, from: held, certificate: prefix.certificate == nil ? .send : .known)
            }
            if wants.isEmpty { return }
            var batch = TakeBatch()
            for case .chunk(let chunk) in try sender.ranges(wants, byteLimit: 3_000) {
                let verified = verifier.verify(chunk, over: prefixes[chunk.log] ?? .none).verified
                batch.chunks.append(.init(chunk: try #require(verified), source: .peer))
            }
            try #require(!batch.chunks.isEmpty)
            _ = try receiver.take(batch)
        }
    }
}
