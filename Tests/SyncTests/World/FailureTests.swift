import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What the store cannot read holds up nothing else.
struct FailureTests {
    private func push(_ seed: UInt64, _ town: Town) -> (LogID, UnverifiedChunk) {
        var author = Author(seed: seed, network: town.network)
        return (author.log, author.write("entry", at: 1).unverified)
    }

    @Test func `A read that fails once is done again`() throws {
        let town = try Town(nodes: 1, seed: 141)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        town.stores[0].failingPrefixes = 2
        let (log, chunk) = push(8, town)
        stranger.send(.chunks(Chunks(chunks: [chunk], number: 3)))
        stranger.run(milliseconds: 500)
        #expect(town.stores[0].size(log) == 0)
        stranger.run(milliseconds: 4_000)
        #expect(town.stores[0].size(log) == 1)
        #expect(town.stores[0].cursor(of: stranger.id)?.number == 3)
    }

    @Test func `A log that cannot be read is left out and the others are taken`() throws {
        let town = try Town(nodes: 1, seed: 142)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let chunks = (8..<12).map { push($0, town) }
        town.stores[0].damaged = chunks[1].0
        stranger.send(.chunks(Chunks(chunks: chunks.map(\.1), number: 3)))
        stranger.run(milliseconds: 6_000)
        #expect(chunks.map { town.stores[0].size($0.0) } == [1, 0, 1, 1])
        #expect(town.reports(0).contains(.logLeftOut(chunks[1].0)))
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
        let (log, chunk) = push(12, town)
        stranger.send(.chunks(Chunks(chunks: [chunk], number: 4)))
        stranger.run(milliseconds: 6_000)
        #expect(town.stores[0].size(log) == 1)
        #expect(town.stores[0].cursor(of: stranger.id) == nil, "it waits for the log that was left out")
    }

    @Test func `What is told of a log that cannot be read is told again at the next start, whoever told it`() throws {
        let town = try Town(nodes: 1, seed: 1_142)
        try town.startAll()
        let first = Stranger(town.world)
        first.greet()
        let (log, chunk) = push(8, town)
        town.stores[0].damaged = log
        first.send(.chunks(Chunks(chunks: [chunk], number: 3)))
        first.run(milliseconds: 6_000)
        #expect(town.reports(0).contains(.logLeftOut(log)))
        let second = Stranger(town.world, seed: 78, host: "second")
        second.greet()
        second.send(.chunks(Chunks(chunks: [chunk], number: 3)))
        second.run(milliseconds: 6_000)
        #expect(town.stores[0].cursor(of: second.id) == nil)
    }

    /// `next`: the second one sends what follows, else the same again.
    @Test(arguments: [true, false])
    func `No cursor passes what was on its way of a log when it was left out`(next: Bool) throws {
        let town = try Town(nodes: 1, seed: 2_143) { $0.workMilliseconds = 20...20 }
        try town.startAll()
        let (first, second) = (Stranger(town.world), Stranger(town.world, seed: 78, host: "second"))
        first.greet()
        second.greet()
        var author = Author(seed: 8, network: town.network)
        let chunks = (1...2).map { author.write("entry \($0)", at: UInt64($0)).unverified }
        first.send(.chunks(Chunks(chunks: [chunks[0]], number: 3)))
        // Checked by now, and on its way into the store: what follows is checked over it.
        first.run(milliseconds: 30)
        second.send(.chunks(Chunks(chunks: [chunks[next ? 1 : 0]], number: 5)))
        town.stores[0].damaged = author.log
        second.run(milliseconds: 6_000)
        #expect(town.reports(0).contains(.logLeftOut(author.log)))
        #expect(town.stores[0].cursor(of: first.id) == nil)
        #expect(town.stores[0].cursor(of: second.id) == nil)
    }

    @Test func `A transaction that cannot read a log is done without it`() throws {
        let town = try Town(nodes: 1, seed: 143) { $0.workMilliseconds = 20...20 }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let chunks = (8..<12).map { push($0, town) }
        stranger.send(.chunks(Chunks(chunks: chunks.map(\.1), number: 3)))
        // Checked by now, and on its way into the store.
        stranger.run(milliseconds: 30)
        town.stores[0].damaged = chunks[1].0
        try town.write("own", on: 0)
        stranger.run(milliseconds: 6_000)
        #expect(chunks.map { town.stores[0].size($0.0) } == [1, 0, 1, 1])
        #expect(town.reports(0).contains(.logLeftOut(chunks[1].0)))
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
        #expect(stranger.chunks.flatMap(\.chunks).map(\.log) == [town.authors[0].log])
        // The next start finds that it can be read after all.
        town.world.kill(0)
        town.stores[0].damaged = nil
        try town.world.start(0)
        let again = Stranger(town.world)
        again.greet()
        again.send(.chunks(Chunks(chunks: [chunks[1].1], number: 3)))
        again.run(milliseconds: 1_000)
        #expect(town.stores[0].size(chunks[1].0) == 1)
        #expect(town.stores[0].cursor(of: again.id)?.number == 3)
    }

    @Test func `A chunk over entries that were dropped is asked for again`() throws {
        let town = try Town(nodes: 1, seed: 144)
        try town.startAll()
        let whole = LightStore()
        let part = LightStore()
        var author = Author(seed: 6, network: town.network)
        for post in 0..<10 {
            let chunk = author.write("post \(post)", at: UInt64(post))
            _ = try whole.append(chunk)
            if post < 3 { _ = try part.append(chunk) }
        }
        let want = RangeWant(log: author.log, from: 0, certificate: .send)
        guard case .chunk(let start)? = try whole.ranges([want], byteLimit: 60).first,
            case .chunk(let rest)? = try whole.ranges(
                [RangeWant(log: author.log, from: start.count, certificate: .known)],
                byteLimit: 1_000
            ).first
        else { return #expect(Bool(false), "no chunks") }
        #expect(start.count > 3 && start.count < 10 && rest.start + rest.count == 10)
        let leaver = Stranger(town.world, seed: 1)
        let holder = Stranger(town.world, seed: 2)
        let pusher = Stranger(town.world, seed: 3)
        for stranger in [leaver, holder, pusher] { stranger.greet() }
        holder.serve(part)
        pusher.serve(whole)
        leaver.send(.chunks(Chunks(chunks: [start])))
        leaver.run(milliseconds: 200)
        #expect(town.stores[0].stored(author.log) == start.count)
        // What nobody completes is to be dropped for a smaller head; the store takes its time.
        town.world.hangUp(leaver.session)
        leaver.run(milliseconds: 100)
        town.stores[0].failingTakes = 1
        holder.send(.changes(Changes(logs: [LogSize(log: author.log, size: 3)], number: 1)))
        holder.run(milliseconds: 100)
        pusher.send(.chunks(Chunks(chunks: [rest], number: 7)))
        pusher.run(milliseconds: 10_000)
        holder.run(milliseconds: 1_000)
        pusher.run(milliseconds: 1_000)
        #expect(town.stores[0].size(author.log) == 10)
        #expect(pusher.wants.count == 1)
    }

    @Test func `Own entries do not wait for a transaction that fails`() throws {
        let town = try Town(nodes: 1, seed: 146)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        #expect(town.world.nodes[0].machine?.ownLogIsCleared == true)
        town.stores[0].failingTakes = 1_000
        let (_, chunk) = push(8, town)
        stranger.send(.chunks(Chunks(chunks: [chunk], number: 3)))
        stranger.run(milliseconds: 5_000)
        let append = try town.stores[0].append("own", by: &town.authors[0], at: 5)
        town.world.give(0, .published(append))
        stranger.run(milliseconds: 500)
        #expect(stranger.chunks.flatMap(\.chunks).map(\.log) == [town.authors[0].log])
    }

    @Test func `Words that a delete covers are not passed on`() throws {
        let town = try Town(nodes: 1, seed: 145)
        try town.startAll()
        let author = Stranger(town.world, seed: 1)
        let reader = Stranger(town.world, seed: 2)
        for stranger in [author, reader] { stranger.greet() }
        let (log, chunk) = push(8, town)
        town.stores[0].covered = [log]
        let (other, plain) = push(9, town)
        author.send(.chunks(Chunks(chunks: [chunk, plain], number: 1)))
        reader.run(milliseconds: 500)
        #expect(reader.chunks.flatMap(\.chunks).map(\.log) == [other])
        #expect(reader.changes.flatMap(\.logs).map(\.log) == [log])
    }
}
