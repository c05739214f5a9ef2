import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What is asked for, of whom, and what happens when it does not come.
struct WantTests {
    private func writer(_ town: Town, posts: Int) throws -> (LightStore, Author) {
        let store = LightStore()
        var author = Author(seed: 6, network: town.network)
        for post in 0..<posts { _ = try store.append(author.write("post \(post)", at: UInt64(post))) }
        return (store, author)
    }

    /// Lets the first node hold the first entry of a log of each of these seeds.
    private func hold(_ seeds: Range<UInt64>, _ town: Town) throws -> [LogID] {
        var batch = TakeBatch()
        for seed in seeds {
            var author = Author(seed: seed, network: town.network)
            let source = NodeID(raw: Author.bytes(1, "nobody"))
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: author.write("post 0", at: 0), source: source))
        }
        _ = try town.stores[0].take(batch)
        return batch.chunks.map(\.chunk.log)
    }

    @Test func `A head that nobody can supply stalls nobody`() throws {
        let town = try Town(nodes: 2, seed: 31)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        let (source, author) = try writer(town, posts: 3)
        let liar = Stranger(town.world)
        liar.greet()
        liar.serve(source)
        let bogus = LogID(raw: Author.bytes(9, "bogus"))
        liar.send(
            .changes(
                Changes(
                    logs: [LogSize(log: bogus, size: 1_000_000), LogSize(log: author.log, size: 500)],
                    number: 7
                )
            )
        )
        liar.run(milliseconds: 2_000)
        #expect(town.stores[0].size(author.log) == 3, "the part that there is was taken")
        #expect(town.stores[0].wantedLogs.map(\.log) == [author.log], "of what is held more is wanted")
        #expect(town.stores[0].cursor(of: liar.id)?.number == 7, "the cursor went on")
        try town.write("life goes on", on: 1)
        #expect(town.world.run(until: { town.stores[0].contents.count == 4 }, withinMilliseconds: 1_000))
        #expect(town.violations(0).isEmpty)
    }

    @Test func `A head whose rest nobody supplies gives way to a smaller one`() throws {
        let town = try Town(nodes: 1, seed: 35)
        try town.startAll()
        let stores = [LightStore(), LightStore(), LightStore()]
        var author = Author(seed: 6, network: town.network)
        for post in 0..<10 {
            let chunk = author.write("post \(post)", at: UInt64(post))
            for (store, size) in zip(stores, [5, 7, 10]) where post < size { _ = try store.append(chunk) }
        }
        let leaver = Stranger(town.world, seed: 1)
        leaver.greet()
        leaver.serve(stores[0])
        leaver.send(.changes(Changes(logs: [LogSize(log: author.log, size: 5)], number: 1)))
        leaver.run(milliseconds: 500)
        #expect(town.stores[0].size(author.log) == 5)
        let part = try stores[2].ranges([RangeWant(log: author.log, from: 5, certificate: .known)], byteLimit: 40)
        guard case .chunk(let chunk)? = part.first else { return #expect(Bool(false), "no chunk") }
        leaver.send(.chunks(Chunks(chunks: [chunk])))
        leaver.run(milliseconds: 500)
        #expect(town.stores[0].stored(author.log) > 7 || chunk.start + chunk.count <= 7)
        #expect(town.stores[0].stored(author.log) > 5 && town.stores[0].size(author.log) == 5)
        leaver.send(.goodbye(.stopping))
        leaver.run(milliseconds: 500)
        let holder = Stranger(town.world, seed: 2)
        // It is asked for the rest of the larger head as soon as it has greeted.
        holder.serve(stores[1])
        holder.greet()
        // Not more than what is stored, once; the larger head is out of reach whatever is asked.
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 7)], number: 1)))
        holder.run(milliseconds: 2_000)
        #expect(town.stores[0].size(author.log) == 7)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `An answer that was not asked for the certificate is nobodys fault`() throws {
        let world = World(WorldOptions(seed: 38))
        let odd = OddStore(LightStore())
        _ = world.add(odd, exchange: .off)
        try world.start(0)
        let source = LightStore()
        var author = Author(seed: 6, network: world.network)
        for post in 0..<3 { _ = try source.append(author.write("post \(post)", at: UInt64(post))) }
        let holder = Stranger(world)
        holder.greet()
        holder.serve(source)
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        holder.run(milliseconds: 500)
        let size = { world.nodes[0].machine?.frontier.size(of: author.log) }
        #expect(size() == 3)
        // Forgotten in a transaction of which the machine has not heard yet.
        odd.lost = [author.log]
        _ = try source.append(author.write("more", at: 9))
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 4)], number: 2)))
        holder.run(milliseconds: 200)
        #expect(holder.wants.last == RangeWant(log: author.log, from: 3, certificate: .known))
        #expect(holder.isOpen && holder.goodbye == nil)
        odd.lost = []
        holder.run(milliseconds: 1_000)
        #expect(size() == 4)
    }

    @Test func `What one peer lacks is asked of another that offered it`() throws {
        let town = try Town(nodes: 1, seed: 32)
        try town.startAll()
        let (source, author) = try writer(town, posts: 3)
        let first = Stranger(town.world, seed: 1)
        let second = Stranger(town.world, seed: 2)
        first.greet()
        second.greet()
        first.serve(LightStore())
        first.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        second.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        first.run(milliseconds: 50)
        second.serve(source)
        second.run(milliseconds: 200)
        first.run(milliseconds: 200)
        #expect(first.wants.count + second.wants.count == 2)
        second.run(milliseconds: 500)
        let isHere = town.stores[0].size(author.log) == 3 || second.wants.count == 1
        #expect(isHere)
    }

    @Test func `What nobody offered is asked of everybody in turn`() throws {
        let town = try Town(nodes: 1, seed: 33)
        _ = try hold(6..<7, town)
        try town.startAll()
        let (source, author) = try writer(town, posts: 3)
        let liar = Stranger(town.world, seed: 1)
        let holder = Stranger(town.world, seed: 2)
        liar.greet()
        liar.serve(LightStore())
        liar.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        liar.run(milliseconds: 100)
        // It never announces the log: it came by it without saying so.
        holder.greet()
        holder.serve(source)
        for _ in 0..<100 {
            liar.run(milliseconds: 50)
            holder.run(milliseconds: 50)
        }
        #expect(town.stores[0].size(author.log) == 3)
        #expect(town.stores[0].wantedLogs.isEmpty)
    }

    @Test func `A want that nobody supplies is asked for later and later`() throws {
        let town = try Town(nodes: 1, seed: 34)
        let bogus = try #require(try hold(6..<7, town).first)
        try town.startAll()
        let liar = Stranger(town.world)
        liar.greet()
        liar.serve(LightStore())
        liar.send(.changes(Changes(logs: [LogSize(log: bogus, size: 3)], number: 1)))
        var asked: [Int] = []
        for _ in 0..<6 {
            for _ in 0..<200 {
                liar.run(milliseconds: 100)
            }
            asked.append(liar.wants.count)
        }
        // After 20 s: 0, 1, 3, 7, 15 s. After 120 s: 31 and 63 s more.
        #expect(asked.first == 5)
        #expect(asked.last == 7)
    }

    @Test func `A peer that never answers is left for another`() throws {
        let town = try Town(nodes: 1, seed: 35)
        try town.startAll()
        let (source, author) = try writer(town, posts: 3)
        let silent = Stranger(town.world, seed: 1)
        silent.greet()
        silent.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        silent.run(milliseconds: 100)
        #expect(silent.wants.count == 1)
        let honest = Stranger(town.world, seed: 2)
        honest.greet()
        honest.serve(source)
        honest.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        honest.run(milliseconds: 1_000)
        #expect(honest.wants.isEmpty, "a log is asked of one peer at a time")
        honest.run(milliseconds: Limits.progressDeadlineMilliseconds)
        #expect(!silent.isOpen)
        #expect(town.stores[0].size(author.log) == 3)
        #expect(town.reports(0).contains(.lost(silent.id, PeerAddress(host: "stranger", port: 0), .noProgress)))
    }

    @Test func `A peer that goes away in the middle is replaced`() throws {
        let town = try Town(nodes: 1, seed: 36)
        try town.startAll()
        let (source, author) = try writer(town, posts: 3)
        let first = Stranger(town.world, seed: 1)
        let second = Stranger(town.world, seed: 2)
        first.greet()
        second.greet()
        second.serve(source)
        first.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        first.run(milliseconds: 50)
        second.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        second.run(milliseconds: 50)
        #expect(first.wants.count == 1)
        #expect(second.wants.isEmpty)
        town.world.hangUp(first.session)
        second.run(milliseconds: 500)
        #expect(town.stores[0].size(author.log) == 3)
    }

    @Test func `Wants survive a restart`() throws {
        let town = try Town(nodes: 1, seed: 37)
        _ = try hold(6..<7, town)
        try town.startAll()
        let (source, author) = try writer(town, posts: 3)
        let liar = Stranger(town.world, seed: 1)
        liar.greet()
        liar.serve(LightStore())
        liar.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        liar.run(milliseconds: 500)
        #expect(town.stores[0].wantedLogs == [LogSize(log: author.log, size: 3)])
        town.world.kill(0)
        try town.world.start(0)
        let holder = Stranger(town.world, seed: 2)
        holder.serve(source)
        holder.greet()
        holder.run(milliseconds: 5_000)
        #expect(town.stores[0].size(author.log) == 3)
    }

    @Test func `What is pending fulfils no smaller offer`() throws {
        let town = try Town(nodes: 1, seed: 38)
        try town.startAll()
        let whole = LightStore()
        let part = LightStore()
        var author = Author(seed: 6, network: town.network)
        for post in 0..<10 {
            let chunk = author.write("post \(post)", at: UInt64(post))
            _ = try whole.append(chunk)
            if post < 4 { _ = try part.append(chunk) }
        }
        let leaver = Stranger(town.world, seed: 1)
        leaver.greet()
        leaver.send(.changes(Changes(logs: [LogSize(log: author.log, size: 10)], number: 1)))
        leaver.run(milliseconds: 50)
        let holder = Stranger(town.world, seed: 2)
        holder.serve(part)
        holder.greet()
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 4)], number: 9)))
        holder.run(milliseconds: 50)
        let want = RangeWant(log: author.log, from: 0, certificate: .send)
        guard case .chunk(let start)? = try whole.ranges([want], byteLimit: 60).first else {
            return #expect(Bool(false), "no chunk")
        }
        #expect(start.count > 4 && start.count < 10)
        leaver.send(.chunks(Chunks(chunks: [start])))
        leaver.run(milliseconds: 10)
        // Also one that comes while the entries are on their way into the store.
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 10)))
        holder.run(milliseconds: 6_000)
        #expect(town.stores[0].size(author.log) == 0)
        #expect(town.stores[0].cursor(of: holder.id) == nil, "nothing of what it offered is held")
        town.world.hangUp(leaver.session)
        holder.run(milliseconds: 6_000)
        #expect(town.stores[0].size(author.log) == 4)
        #expect(town.stores[0].cursor(of: holder.id)?.number == 10)
    }

    @Test func `An announcement counts though a comparison named the log before`() throws {
        let town = try Town(nodes: 1, seed: 39)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let log = LogID(raw: Author.bytes(9, "log"))
        let bounds = PageBounds(after: nil, through: nil)
        stranger.send(.compare(ComparePage(page: 1, bounds: bounds, logs: [LogSize(log: log, size: 10)])))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.count == 1)
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: 12)], number: 7)))
        stranger.run(milliseconds: 10_000)
        #expect(stranger.isOpen)
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
    }

    @Test func `Naming what nobody asked for is no progress`() throws {
        let town = try Town(nodes: 1, seed: 40)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: LogID(raw: Author.bytes(9, "log")), size: 10)], number: 7)))
        // Bytes that come in make a slow line of it, but not for ever.
        for round in 0..<(Limits.slowProgressMilliseconds / 10_000) {
            #expect(stranger.isOpen)
            stranger.run(milliseconds: 10_000)
            stranger.send(.chunks(Chunks(chunks: [], lacking: [LogID(raw: Author.bytes(round, "other"))])))
        }
        stranger.run(milliseconds: 1_000)
        #expect(stranger.wants.count == 1)
        #expect(!stranger.isOpen)
    }

    @Test func `A log is not forgotten with a push that nobody looked at`() throws {
        let town = try Town(nodes: 1, seed: 45) { $0.workMilliseconds = 200...200 }
        try town.startAll()
        let pusher = Stranger(town.world, seed: 1)
        let leaver = Stranger(town.world, seed: 2)
        let holder = Stranger(town.world, seed: 3)
        let store = LightStore()
        var author = Author(seed: 6, network: town.network)
        // A batch of its own, however often it comes.
        let count = Limits.batchEntries - 20
        let many = author.write([[UInt8]](repeating: [1], count: Int(count)), at: 1)
        _ = try store.append(many)
        _ = try store.append(author.write("one more", at: 2))
        var other = Author(seed: 11, network: town.network)
        let first = other.write("of another", at: 1).unverified
        for stranger in [pusher, leaver, holder] { stranger.greet() }
        holder.serve(store)
        // Three batches: one that is checked now, one with the log, one with the same from the leaver.
        pusher.send(.chunks(Chunks(chunks: [first])))
        pusher.run(milliseconds: 20)
        pusher.send(.chunks(Chunks(chunks: [many.unverified])))
        leaver.send(.chunks(Chunks(chunks: [many.unverified])))
        leaver.run(milliseconds: 420)
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: count + 1)], number: 1)))
        holder.run(milliseconds: 20)
        #expect(holder.wants.isEmpty)
        town.world.hangUp(leaver.session)
        holder.run(milliseconds: 3_000)
        #expect(town.stores[0].size(author.log) == count + 1)
    }

    @Test func `What is wanted patiently and comes in part is asked for again`() throws {
        let town = try Town(nodes: 1, seed: 46)
        _ = try hold(6..<7, town)
        try town.startAll()
        let stores = [LightStore(), LightStore(), LightStore()]
        var author = Author(seed: 6, network: town.network)
        for post in 0..<10 {
            let chunk = author.write("post \(post)", at: UInt64(post))
            for (store, size) in zip(stores, [0, 8, 10]) where post < size { _ = try store.append(chunk) }
        }
        let strangers = stores.indices.map { Stranger(town.world, seed: UInt64($0 + 1)) }
        for (stranger, store) in zip(strangers, stores) {
            stranger.greet()
            stranger.serve(store)
        }
        // Nobody else says what it has.
        strangers[0].send(.changes(Changes(logs: [LogSize(log: author.log, size: 10)], number: 1)))
        for _ in 0..<400 {
            for stranger in strangers { stranger.run(milliseconds: 10) }
        }
        #expect(strangers[1].wants.count == 1)
        #expect(town.stores[0].size(author.log) == 10)
        #expect(town.stores[0].wantedLogs.isEmpty)
    }

    @Test func `What nobody has takes no room and is forgotten`() throws {
        let town = try Town(nodes: 1, seed: 47)
        let count = 3 * Limits.patientWantsPerPeerCount
        let logs = try hold(1_000..<UInt64(1_000 + count), town).map { LogSize(log: $0, size: 9) }
        let lost = try #require(try hold(6..<7, town).first)
        try town.startAll()
        let liar = Stranger(town.world)
        liar.greet()
        liar.serve(LightStore())
        for start in stride(from: 0, to: count, by: 1_024) {
            liar.send(.changes(Changes(logs: Array(logs[start..<start + 1_024]), number: UInt64(start + 1))))
        }
        liar.run(milliseconds: 8_000)
        #expect(town.stores[0].wantedLogs.count == Limits.patientWantsPerPeerCount)
        #expect(town.status(0)?.unsuppliedLogs == Limits.patientWantsPerPeerCount)
        #expect(town.stores[0].cursor(of: liar.id)?.number ?? 0 < UInt64(count - 1_024))
        #expect(town.violations(0).isEmpty)
        // An honest peer's is remembered all the same.
        let honest = Stranger(town.world, seed: 78)
        honest.greet()
        honest.serve(LightStore())
        honest.send(.changes(Changes(logs: [LogSize(log: lost, size: 2)], number: 1)))
        honest.run(milliseconds: 500)
        #expect(town.stores[0].wantedLogs.count == Limits.patientWantsPerPeerCount + 1)
        #expect(town.stores[0].cursor(of: honest.id)?.number == 1)
    }

    @Test func `No cursor passes what is given up`() throws {
        let town = try Town(nodes: 1, seed: 49)
        let bogus = try #require(try hold(6..<7, town).first)
        try town.startAll()
        let liar = Stranger(town.world, seed: 1)
        liar.greet()
        liar.serve(LightStore())
        let claim = Message.changes(Changes(logs: [LogSize(log: bogus, size: 3)], number: 5))
        liar.send(claim)
        let attempts = { town.world.nodes[0].machine?.requests.want(bogus)?.patience?.attempts ?? 0 }
        let end = town.world.now + 86_400_000
        while attempts() < Limits.patientWantAttempts, town.world.now < end {
            liar.run(milliseconds: 40_000)
            liar.send(.keepAlive(KeepAlive.any))
        }
        #expect(attempts() == Limits.patientWantAttempts)
        let other = Stranger(town.world, seed: 2)
        other.serve(LightStore())
        other.greet()
        other.send(claim)
        other.run(milliseconds: 1_000)
        #expect(other.wants.map(\.log) == [bogus] && town.stores[0].wantedLogs.isEmpty)
        town.world.hangUp(other.session)
        town.world.run(milliseconds: 1_000)
        #expect(town.stores[0].cursor(of: other.id) == nil)
        // It names the log anew in its next session, and then that is noted.
        let again = Stranger(town.world, seed: 2)
        again.serve(LightStore())
        again.greet()
        again.send(claim)
        again.run(milliseconds: 1_000)
        #expect(town.stores[0].wantedLogs == [LogSize(log: bogus, size: 3)])
        #expect(town.stores[0].cursor(of: again.id)?.number == 5)
    }

    @Test func `A want that nobody supplies is forgotten after a day`() throws {
        let town = try Town(nodes: 1, seed: 48)
        let bogus = try #require(try hold(6..<7, town).first)
        try town.startAll()
        let liar = Stranger(town.world)
        liar.greet()
        liar.serve(LightStore())
        liar.send(.changes(Changes(logs: [LogSize(log: bogus, size: 3)], number: 1)))
        liar.run(milliseconds: 1_000)
        #expect(town.stores[0].wantedLogs.count == 1)
        let end = town.world.now + 86_400_000
        while town.world.now < end {
            liar.run(milliseconds: 40_000)
            liar.send(.keepAlive(KeepAlive.any))
        }
        #expect(liar.wants.count == Limits.patientWantAttempts + 1)
        #expect(town.stores[0].wantedLogs.isEmpty)
        #expect(town.status(0)?.wantedLogs == 0 && town.status(0)?.unsuppliedLogs == 0)
    }
}
