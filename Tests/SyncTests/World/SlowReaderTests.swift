import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Peers that ask for much and read little: what a node keeps for them, for how long, and at whose cost.
struct SlowReaderTests {
    /// Two nodes in step, the first with 10 MB of somebody's posts, and a peer of it that is about to ask for them.
    private func town(seed: UInt64) throws -> (Town, Author, Stranger) {
        let town = try Town(nodes: 2, seed: seed)
        var author = Author(seed: 8, network: town.network)
        let body = [UInt8](repeating: 120, count: 50_000)
        let chunks = (0..<20).map { _ in author.write([[UInt8]](repeating: body, count: 10), at: 1) }
        for node in 0..<2 { try town.plant(chunks, on: node) }
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 30_000))
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(credit: 1 << 40))
        return (town, author, stranger)
    }

    private func session(_ town: Town, _ stranger: Stranger) -> Session? {
        town.world.nodes[0].machine?.sessions.values.first { $0.node == stranger.id }
    }

    private func hasLost(_ stranger: Stranger, _ town: Town) -> Bool {
        town.reports(0).contains {
            if case .lost(stranger.id, _, .notReading) = $0 { true } else { false }
        }
    }

    @Test func `Who asks for everything and reads nothing holds a few megabytes and is dropped`() throws {
        let (town, author, stranger) = try town(seed: 2_001)
        town.world.setReading(.paused, stranger.session)
        let began = town.world.now
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        var most = 0
        var latest = 0 as UInt64
        var word = 0
        while session(town, stranger) != nil, town.world.now < began + 200_000 {
            if town.world.now / 5_000 > UInt64(word) {
                word = Int(town.world.now / 5_000)
                // It lives, and goes on asking.
                let fingerprint = Fingerprint([UInt8](repeating: 0, count: 16))
                if let fingerprint {
                    stranger.send(
                        .keepAlive(
                            KeepAlive(fingerprint: fingerprint, count: 0, number: 0, activity: .busy, request: .answer)
                        ),
                        .want([RangeWant(log: author.log, from: 0, certificate: .send)])
                    )
                }
                try town.write("live \(word)", on: 1)
                let sent = town.world.now
                let size = town.authors[1].size
                let log = town.authors[1].log
                let hasCome = town.world.run(
                    until: { town.stores[0].size(log) == size },
                    withinMilliseconds: 2_000
                )
                #expect(hasCome)
                latest = max(latest, town.world.now - sent)
            }
            town.world.run(milliseconds: 500)
            most = max(most, session(town, stranger)?.waitingBytes ?? 0)
        }
        #expect(most > Limits.queueSoftBytes, "there was more than it took")
        #expect(most <= Limits.queueSoftBytes + Limits.readBytes + 100_000)
        #expect(hasLost(stranger, town))
        #expect(town.world.now - began >= Limits.readingDeadlineMilliseconds)
        #expect(town.world.now - began <= Limits.readingDeadlineMilliseconds + 5_000)
        #expect(latest <= 100, "nobody else waits: \(latest) ms")
        #expect(town.violations(0).isEmpty)
        #expect(town.status(0)?.sessions.count == 1)
    }

    @Test func `Who reads at last gets everything`() throws {
        let (town, author, stranger) = try town(seed: 2_002)
        town.world.setReading(.paused, stranger.session)
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 60_000)
        town.world.setReading(.reading, stranger.session)
        stranger.run(milliseconds: 20_000)
        #expect(stranger.isOpen && !hasLost(stranger, town))
        #expect(stranger.chunks.flatMap(\.chunks).reduce(0) { $0 + $1.count } == 200)
    }

    @Test func `Forty that read nothing hold little together and nobody up`() throws {
        let (town, author, first) = try town(seed: 2_006)
        var strangers = [first]
        for number in 1..<40 {
            let stranger = Stranger(town.world, seed: 3_000 + UInt64(number), host: "host \(number)")
            stranger.greet(Stranger.hello(credit: 1 << 40))
            strangers.append(stranger)
        }
        let want = RangeWant(log: author.log, from: 0, certificate: .send)
        for stranger in strangers {
            town.world.setReading(.paused, stranger.session)
            stranger.send(.want([want]))
        }
        var (most, latest, readings) = (0, 0 as UInt64, 0)
        for number in 0..<20 {
            let sent = town.world.now
            try town.write("live \(number)", on: 0)
            let (size, log) = (town.authors[0].size, town.authors[0].log)
            #expect(town.world.run(until: { town.stores[1].size(log) == size }, withinMilliseconds: 2_000))
            latest = max(latest, town.world.now - sent)
            town.world.run(milliseconds: 100)
            let machine = try #require(town.world.nodes[0].machine)
            let waiting = machine.sessions.values.map(\.waitingBytes)
            #expect(machine.waitingBytes == machine.sessions.values.reduce(0) { $0 + $1.waitingBytes })
            most = max(most, waiting.reduce(0, +))
            readings = max(readings, machine.links.values.count { $0.serving.reading != nil })
        }
        #expect(most >= Limits.queueCrowdBytes, "there was more than they took: \(most)")
        let each = Limits.queueCrowdedBytes + Limits.chunksMessageBytes
        #expect(most <= Limits.queueCrowdBytes + Limits.queueSoftBytes + 40 * (each + 60_000), "\(most)")
        #expect(latest <= 100, "nobody else waits: \(latest) ms")
        #expect(readings <= Limits.readingsCount)
        // One of them reads at last, and gets all of it while the others hold what they have.
        let last = strangers[39]
        town.world.setReading(.reading, last.session)
        last.run(milliseconds: 20_000)
        let came = last.chunks.flatMap(\.chunks).filter { $0.log == author.log }
        #expect(came.reduce(0) { $0 + $1.count } == 200)
    }

    @Test func `Who has most is dropped where all together have too much`() throws {
        let world = World(WorldOptions(seed: 2_007))
        _ = world.add(RowStore(logs: 10), exchange: .off)
        try world.start(0)
        let strangers = (0..<6).map { Stranger(world, seed: 4_000 + UInt64($0), host: "host \($0)") }
        for stranger in strangers { stranger.greet() }
        var machine = try #require(world.nodes[0].machine)
        let ids = machine.order
        #expect(ids.count == 6)
        // Each has less than is too much for one: 12 MB, the fourth a little more.
        let frame = Frame(type: MessageType.peers.rawValue, body: [UInt8](repeating: 0, count: 1_000_000))
        for id in ids { for _ in 0..<12 { machine.send(frame, to: id) } }
        machine.send(frame, to: ids[3])
        #expect(machine.waitingBytes > Limits.queueTotalBytes)
        let effects = machine.received(.timer, at: world.moment)
        let closed = effects.compactMap { if case .close(let id) = $0 { id } else { nil } }
        #expect(closed == [ids[3]])
        #expect(machine.order == ids.filter { $0 != ids[3] })
        #expect(machine.waitingBytes <= Limits.queueTotalBytes)
        #expect(machine.waitingBytes == machine.sessions.values.reduce(0) { $0 + $1.waitingBytes })
    }

    @Test func `What is fresh is pushed to a bound and named beyond`() throws {
        let town = try Town(nodes: 1, seed: 2_008)
        try town.startAll()
        let reader = Stranger(town.world, seed: 5_001, host: "reader")
        reader.greet(Stranger.hello(version: 2, credit: 1 << 30))
        let bringer = Stranger(town.world, seed: 5_002, host: "bringer")
        bringer.greet(Stranger.hello(version: 2))
        reader.run(milliseconds: 500)
        reader.forget()
        // Twenty logs of 100 KB in one breath.
        let body = [UInt8](repeating: 120, count: 50_000)
        let chunks = (0..<20).map { number in
            var author = Author(seed: 700 + UInt64(number), network: town.network)
            return author.write([body, body], at: 1_700_000_000_000).unverified
        }
        for lot in [chunks.prefix(7), chunks[7..<14], chunks[14...]] {
            bringer.send(.chunks(Chunks(chunks: Array(lot))))
        }
        reader.run(milliseconds: 2_000)
        let pushed = reader.chunks.flatMap(\.chunks)
        let named = reader.changes.flatMap(\.logs)
        #expect(pushed.count + named.count == 20 && !pushed.isEmpty)
        #expect(Set(pushed.map(\.log) + named.map(\.log)) == Set(chunks.map(\.log)))
        #expect(!named.isEmpty)
    }

    @Test func `A list is made as it is read`() throws {
        var options = WorldOptions(seed: 2_003)
        options.wallMilliseconds = 1_700_000_000_000
        let world = World(options)
        _ = world.add(RowStore(logs: 80_000), exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.run(milliseconds: 100)
        world.setReading(.paused, stranger.session)
        stranger.send(.hello(Stranger.hello()))
        world.run(milliseconds: 1_000)
        let queued = try #require(world.nodes[0].machine?.sessions.values.first?.waitingBytes)
        #expect(queued > Limits.queueSoftBytes)
        #expect(queued <= Limits.queueSoftBytes + 100_000, "\(queued)")
        world.setReading(.reading, stranger.session)
        stranger.run(milliseconds: 5_000)
        #expect(stranger.changes.reduce(0) { $0 + $1.logs.count } == 80_000)
    }

    @Test func `A flood of questions is not answered beyond the bound`() throws {
        let world = World(WorldOptions(seed: 2_004))
        _ = world.add(RowStore(logs: 20_000), exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.greet()
        let pages = (1...200).map { page in
            Message.compare(
                ComparePage(page: UInt32(page), bounds: PageBounds(after: nil, through: nil), logs: [])
            ).frame
        }
        let before = world.wireBytes
        world.setReading(.paused, stranger.session)
        stranger.send(frames: pages)
        world.run(milliseconds: 1_000)
        // 200 answers of 620 KB each would be 124 MB.
        let said = world.wireBytes - before
        #expect(said <= 1_000_000, "\(said)")
        let reports = world.nodes[0].reports
        #expect(
            reports.contains { if case .violation(stranger.id, _, .impossiblePage, _) = $0 { true } else { false } }
        )
        #expect(world.nodes[0].machine?.sessions.isEmpty == true)
    }

    @Test func `Pages are answered no faster than they are paid for`() throws {
        let world = World(WorldOptions(seed: 2_006))
        _ = world.add(RowStore(logs: 20_000), exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        var page: UInt32 = 1
        let next = { Message.compare(ComparePage(page: page, bounds: PageBounds(after: nil, through: nil), logs: [])) }
        stranger.answer = { message in
            guard case .comparison = message else { return [] }
            page += 1
            return [next()]
        }
        stranger.greet()
        stranger.send(next())
        stranger.run(milliseconds: 4_000)
        // Each costs 1.4 s, and 16 s of them come at once.
        #expect((10...18).contains(page), "\(page)")
        for _ in 0..<30 { stranger.run(milliseconds: 1_000) }
        #expect((28...40).contains(page), "\(page)")
        #expect(stranger.isOpen)
    }

    @Test func `A staircase of words about unknown logs is remembered to a bound`() throws {
        let town = try Town(nodes: 1, seed: 2_005)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        var link = try #require(town.world.nodes[0].machine?.links.values.first)
        for number in 0..<UInt64(Limits.heardMarksCount + 10) {
            let item = LogSize(log: LogID(raw: Author.bytes(number, "log")), size: 1)
            let isKept = link.remember(LogMark(item: item, root: nil, settlement: nil, cut: nil))
            if isKept != (number < Limits.heardMarksCount) { Issue.record("statement \(number)") }
        }
        #expect(link.heardMarks.count == Limits.heardMarksCount)
    }

    /// The history that a settlement asks for behind a cut is had of whoever is known to have it.
    @Test func `Behind words that there is no room to remember no cursor passes`() throws {
        let town = try Town(nodes: 1, seed: 2_009)
        var writer = ForkedWriter(seed: 62, network: town.network)
        writer.branch(10)
        writer.branch(6, from: 0, at: 4)
        try town.take(writer.batch(0, 4), on: 0)
        try town.take(writer.accusing(0, 1, at: 4), on: 0)
        try town.take(writer.settling(0, 10), on: 0)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        var machine = try #require(town.world.nodes[0].machine)
        let side = machine.standings[writer.log]?.standing.side
        #expect(side == 4)
        let id = try #require(machine.links.values.first?.session)
        for number in 0..<UInt64(Limits.heardMarksCount) {
            let item = LogSize(log: LogID(raw: Author.bytes(number, "log")), size: 1)
            _ = machine.links[id]?.remember(LogMark(item: item, root: nil, settlement: nil, cut: nil))
        }
        let item = LogSize(log: writer.log, size: 10)
        let words = Words(
            settlement: writer.settlement(0, 10).bytes,
            evidence: writer.evidence(0, 1, at: 4).bytes,
            certificate: writer.author.certificate.bytes
        )
        let held = HeldLog(item: item, root: writer.range(0, 10).root, words: words)
        try machine.heardChanges(Changes(logs: [item], number: 7, held: [held]), from: id)
        let link = try #require(machine.links[id])
        #expect(link.milestones.announced == 7 && link.milestones.reached == nil)
    }
}
