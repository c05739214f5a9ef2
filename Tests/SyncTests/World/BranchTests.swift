import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Where a node has many links, new entries are pushed over some and named on the others.
struct BranchTests {
    private static let hello = Stranger.hello(version: 2, features: [Hello.branches])

    /// Another's log of one entry after the other, and the pushes of them.
    private struct Writer {
        let store = LightStore()
        var author: Author

        init(_ town: Town, seed: UInt64) { author = Author(seed: seed, network: town.network) }

        mutating func push(_ text: String) throws -> Message {
            let appended = try store.append(author.write(text, at: 1))
            return .chunks(Chunks(chunks: [appended.chunk.unverified]))
        }
    }

    private func branchings(_ stranger: Stranger) -> [Branching] {
        stranger.inbox.compactMap { if case .branch(let branching) = $0 { branching } else { nil } }
    }

    @Test func `A push of what is here ends the branch where there are many links`() throws {
        for (hello, links, expected) in [
            (Self.hello, 0, [Branching.named]), (Self.hello, 1, []),
            (Stranger.hello(version: 2), 0, []), (Stranger.hello(features: [Hello.branches]), 0, []),
        ] {
            let town = try Town(nodes: 1, seed: 31)
            try town.startAll(eagerLinks: links)
            var writer = Writer(town, seed: 5)
            let stranger = Stranger(town.world)
            stranger.greet(hello)
            let push = try writer.push("new")
            stranger.send(push)
            stranger.run(milliseconds: 100)
            #expect(branchings(stranger).isEmpty)
            stranger.send(push)
            stranger.send(push)
            stranger.run(milliseconds: 100)
            // It is said once.
            #expect(branchings(stranger) == expected)
            #expect(town.violations(0).isEmpty)
        }
    }

    @Test func `On a link that is no branch entries are named`() throws {
        let town = try Town(nodes: 1, seed: 32)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        let log = try #require(town.authors.first?.log)
        try town.write("first", on: 0)
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.count == 1)
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 50)
        try town.write("second", on: 0)
        stranger.run(milliseconds: 200)
        #expect(stranger.chunks.count == 1)
        #expect(stranger.changes.last?.logs == [LogSize(log: log, size: 2)])
        stranger.send(.branch(.pushed))
        stranger.run(milliseconds: 50)
        try town.write("third", on: 0)
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.count == 2)
    }

    @Test func `Who does not know of branches cannot end one`() throws {
        let town = try Town(nodes: 1, seed: 33)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 50)
        try town.write("post", on: 0)
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.count == 1)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `What is named has time to be pushed and is asked for then`() throws {
        let town = try Town(nodes: 1, seed: 34)
        try town.startAll()
        var writer = Writer(town, seed: 5)
        _ = try writer.push("new")
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        stranger.serve(writer.store)
        // A peer's first list is no news.
        stranger.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        stranger.run(milliseconds: 50)
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 2)))
        stranger.run(milliseconds: Limits.graftMilliseconds - 50)
        #expect(stranger.wants.isEmpty)
        stranger.run(milliseconds: 150)
        #expect(stranger.wants.map(\.log) == [writer.author.log])
        #expect(branchings(stranger) == [.pushed])
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `A first list is no news and is not waited for`() throws {
        let town = try Town(nodes: 1, seed: 46)
        try town.startAll()
        var writer = Writer(town, seed: 5)
        _ = try writer.push("old")
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        stranger.serve(writer.store)
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 50)
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 1)))
        stranger.run(milliseconds: Limits.graftMilliseconds / 2)
        #expect(stranger.wants.map(\.log) == [writer.author.log])
        #expect(branchings(stranger).isEmpty)
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `What is pushed meanwhile is not asked for`() throws {
        let town = try Town(nodes: 1, seed: 35)
        try town.startAll()
        var writer = Writer(town, seed: 5)
        let push = try writer.push("new")
        let lazy = Stranger(town.world, seed: 1)
        let eager = Stranger(town.world, seed: 2)
        lazy.greet(Self.hello)
        eager.greet(Self.hello)
        lazy.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        lazy.run(milliseconds: 50)
        lazy.send(.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 2)))
        lazy.run(milliseconds: 200)
        eager.send(push)
        lazy.run(milliseconds: 1_000)
        #expect(lazy.wants.isEmpty)
        #expect(branchings(lazy).isEmpty)
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `What is pushed and being checked is not asked for`() throws {
        let town = try Town(nodes: 1, seed: 36) { $0.workMilliseconds = 1_000...1_000 }
        try town.startAll()
        var writer = Writer(town, seed: 5)
        let push = try writer.push("new")
        let lazy = Stranger(town.world, seed: 1)
        let eager = Stranger(town.world, seed: 2)
        lazy.greet(Self.hello)
        eager.greet(Self.hello)
        lazy.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        lazy.run(milliseconds: 50)
        lazy.send(.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 2)))
        lazy.run(milliseconds: 200)
        eager.send(push)
        lazy.run(milliseconds: 4_000)
        #expect(lazy.wants.isEmpty)
        #expect(branchings(lazy).isEmpty)
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `A node that does not know of branches has none`() throws {
        let town = try Town(nodes: 1, seed: 44)
        try town.startAll(plain: [0], eagerLinks: 0)
        var writer = Writer(town, seed: 5)
        let push = try writer.push("new")
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        stranger.send(push)
        stranger.run(milliseconds: 100)
        stranger.send(push)
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 100)
        #expect(branchings(stranger).isEmpty)
        try town.write("post", on: 0)
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.count == 1)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Who leaves is waited for no more`() throws {
        let town = try Town(nodes: 1, seed: 45)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        stranger.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        stranger.run(milliseconds: 50)
        let name = LogSize(log: LogID(raw: Author.bytes(1, "log")), size: 1)
        stranger.send(.changes(Changes(logs: [name], number: 2)))
        stranger.run(milliseconds: 100)
        #expect(town.world.nodes[0].machine?.awaited.count == 1)
        town.world.hangUp(stranger.session)
        stranger.run(milliseconds: 50)
        #expect(town.world.nodes[0].machine?.awaited.count == 0)
    }

    @Test func `Names are gathered into one message`() throws {
        let town = try Town(nodes: 1, seed: 37)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        let log = try #require(town.authors.first?.log)
        try town.write("first", on: 0)
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 200)
        stranger.forget()
        for post in 0..<5 {
            try town.write("post \(post)", on: 0)
            stranger.run(milliseconds: 10)
        }
        #expect(stranger.changes.isEmpty)
        stranger.run(milliseconds: 200)
        #expect(stranger.changes.map(\.logs) == [[LogSize(log: log, size: 6)]])
        #expect(stranger.chunks.isEmpty)
    }

    @Test func `A push of what is on its way ends the branch too`() throws {
        let town = try Town(nodes: 1, seed: 38) { $0.workMilliseconds = 50...50 }
        try town.startAll(eagerLinks: 0)
        var writer = Writer(town, seed: 5)
        let push = try writer.push("new")
        let first = Stranger(town.world, seed: 1)
        let second = Stranger(town.world, seed: 2)
        first.greet(Self.hello)
        second.greet(Self.hello)
        first.send(push)
        second.send(push)
        first.run(milliseconds: 300)
        second.run(milliseconds: 100)
        #expect(branchings(first).isEmpty)
        #expect(branchings(second) == [.named])
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `What lies about an entry first keeps nobody from bringing it`() throws {
        let town = try Town(nodes: 1, seed: 39) { $0.workMilliseconds = 50...50 }
        try town.startAll(eagerLinks: 0)
        var writer = Writer(town, seed: 5)
        guard case .chunks(let honest) = try writer.push("new"), let chunk = honest.chunks.first else { return }
        var bytes = chunk.entries
        bytes[bytes.count - 1] ^= 1
        let lie = chunk.with(entries: bytes)
        let liar = Stranger(town.world, seed: 1)
        let other = Stranger(town.world, seed: 2)
        liar.greet(Self.hello)
        other.greet(Self.hello)
        liar.send(.chunks(Chunks(chunks: [lie])))
        other.send(.chunks(honest))
        other.run(milliseconds: 400)
        #expect(town.stores[0].contents.count == 1)
        #expect(!liar.isOpen)
        #expect(other.isOpen)
    }

    @Test func `One link keeps only so many names waiting`() throws {
        let town = try Town(nodes: 1, seed: 40)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        stranger.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        stranger.run(milliseconds: 50)
        let logs = (0...Limits.missingCount).map {
            LogSize(log: LogID(raw: Author.bytes(UInt64($0), "log")), size: 1)
        }
        stranger.send(.changes(Changes(logs: logs, number: 2)))
        stranger.run(milliseconds: 100)
        // The one beyond is asked for as on a branch.
        #expect(stranger.wants.map(\.log) == logs.suffix(1).map(\.log))
        #expect(branchings(stranger).isEmpty)
        stranger.run(milliseconds: 1_000)
        #expect(stranger.wants.count == Limits.wantsInFlightPerPeer)
        #expect(branchings(stranger) == [.pushed])
    }

    /// A node that has asked one peer for an entry, when another one names it on a link that is no branch.
    private func askedInVain(seed: UInt64) throws -> (town: Town, asked: Stranger, honest: Stranger) {
        let town = try Town(nodes: 1, seed: seed)
        try town.startAll()
        var writer = Writer(town, seed: 5)
        _ = try writer.push("new")
        let name = Message.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 2))
        let (asked, honest) = (Stranger(town.world, seed: 1), Stranger(town.world, seed: 2))
        for stranger in [asked, honest] { stranger.greet(Self.hello) }
        honest.serve(writer.store)
        asked.send(.changes(Changes(logs: [], number: 1)))
        honest.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        asked.run(milliseconds: 50)
        asked.send(name)
        asked.run(milliseconds: 50)
        #expect(asked.wants.count == 1)
        honest.send(name)
        return (town, asked, honest)
    }

    private func expectFetched(_ town: Town, from honest: Stranger) {
        #expect(honest.wants.count == 1)
        #expect(branchings(honest) == [.pushed])
        #expect(town.stores[0].contents.count == 1)
    }

    @Test func `Who is asked and says nothing keeps nobody from it`() throws {
        let (town, silent, honest) = try askedInVain(seed: 41)
        honest.run(milliseconds: Limits.graftMilliseconds + 500)
        #expect(honest.wants.isEmpty, "whoever is asked has its time")
        honest.run(milliseconds: Limits.graftMilliseconds + 2 * Limits.silenceMilliseconds)
        expectFetched(town, from: honest)
        // It is not asked twice, and is owed for all the same.
        #expect(silent.wants.count == 1)
    }

    /// An attacker that is the only branch would keep each live entry away for as long as it says something else.
    @Test func `Who is asked and speaks of other things keeps nobody from it`() throws {
        let (town, chatterer, honest) = try askedInVain(seed: 45)
        for _ in 0..<18 where honest.wants.isEmpty {
            chatterer.send(.peersWanted)
            honest.run(milliseconds: 500)
        }
        expectFetched(town, from: honest)
    }

    /// More entries than are asked for first, one who is asked for them, and one who names them on a link that is no
    /// branch.
    private func askLate(_ town: Town) throws -> (slow: Stranger, other: Stranger, store: LightStore, answer: Message) {
        var author = Author(seed: 5, network: town.network)
        let store = LightStore()
        let count = Limits.windowEntries + 100
        let texts = (0..<count).map { Array("post \($0)".utf8) }
        _ = try store.append(author.write(texts, at: 1))
        let name = Message.changes(Changes(logs: [LogSize(log: author.log, size: count)], number: 2))
        let slow = Stranger(town.world, seed: 1)
        let other = Stranger(town.world, seed: 2)
        let hello = Stranger.hello(version: 2, features: [Hello.branches, Hello.windows])
        slow.greet(hello)
        other.greet(hello)
        other.serve(store)
        slow.send(.changes(Changes(logs: [], number: 1)))
        other.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        slow.run(milliseconds: 50)
        slow.send(name)
        slow.run(milliseconds: 50)
        let extents = slow.wants.map(\.extent)
        #expect(extents == [.newest(Limits.windowEntries)])
        other.send(name)
        let answers = try store.ranges(slow.wants, byteLimit: 400_000)
        let chunks = answers.compactMap { if case .chunk(let chunk) = $0 { chunk } else { nil } }
        #expect(chunks.first?.left.isEmpty == false)
        return (slow, other, store, .chunks(Chunks(chunks: chunks)))
    }

    @Test func `Who answers when somebody else is asked owes nothing`() throws {
        let town = try Town(nodes: 1, seed: 44)
        try town.startAll()
        let (slow, other, store, answer) = try askLate(town)
        other.answer = { _ in [] }
        other.run(milliseconds: Limits.graftMilliseconds + 2 * Limits.silenceMilliseconds)
        #expect(other.wants.count == 1, "nothing has come of the first who was asked")
        slow.send(answer)
        slow.run(milliseconds: 100)
        let machine = try #require(town.world.nodes[0].machine)
        let link = try #require(machine.links.values.first { $0.node == slow.id })
        #expect(machine.requests.askedCount(link.session) == 0)
        // Who never answers is dropped in the end, and who did is asked anew.
        slow.serve(store)
        for _ in 0..<30 {
            for stranger in [slow, other] {
                stranger.run(milliseconds: 2_500)
                stranger.send(.keepAlive(KeepAlive.any))
            }
        }
        #expect(slow.isOpen)
        #expect(!other.isOpen)
        #expect(store.contents == town.stores[0].contents)
    }

    @Test func `Whose answer is on its way is waited for`() throws {
        let town = try Town(nodes: 1, seed: 45)
        try town.startAll()
        let (slow, other, _, answer) = try askLate(town)
        // A slow line: the message comes in pieces.
        let bytes = slow.sealed(answer)
        let pieces = stride(from: 0, to: bytes.count, by: 4_096).map { bytes[$0..<min($0 + 4_096, bytes.count)] }
        for piece in pieces {
            slow.send(raw: Array(piece))
            for stranger in [slow, other] {
                stranger.run(milliseconds: 4_000 / UInt64(2 * pieces.count))
            }
        }
        other.run(milliseconds: 500)
        let isAsked = other.wants.contains { $0.extent == .newest(Limits.windowEntries) }
        #expect(!isAsked)
        #expect(town.stores[0].size(slow.wants[0].log) == Limits.windowEntries + 100)
        #expect(slow.isOpen && other.isOpen)
    }

    @Test func `Who has no credit to answer with is waited for`() throws {
        // Nothing that came is stored, and no credit given back, before all of this is over.
        let town = try Town(nodes: 1, seed: 46) { $0.workMilliseconds = 8_000...8_000 }
        try town.startAll()
        town.world.run(milliseconds: 10_000)
        var writer = Writer(town, seed: 5)
        _ = try writer.push("new")
        let name = Message.changes(Changes(logs: [LogSize(log: writer.author.log, size: 1)], number: 2))
        let spent = Stranger(town.world, seed: 1)
        let other = Stranger(town.world, seed: 2)
        spent.greet(Self.hello)
        other.greet(Self.hello)
        spent.send(.changes(Changes(logs: [], number: 1)))
        other.send(.changes(Changes(logs: [], number: 1)), .branch(.named))
        for seed in UInt64(80)..<84 {
            var author = Author(seed: seed, network: town.network)
            let chunk = author.write(Array(repeating: [UInt8](repeating: 1, count: 60_000), count: 14), at: 1)
            spent.send(.chunks(Chunks(chunks: [chunk.unverified])))
        }
        spent.run(milliseconds: 50)
        let machine = try #require(town.world.nodes[0].machine)
        let link = try #require(machine.links.values.first { $0.node == spent.id })
        #expect(link.grantedCredit.remaining <= UInt64(Limits.maximumMessageBytes))
        spent.send(name)
        spent.run(milliseconds: 50)
        #expect(spent.wants.count == 1)
        other.send(name)
        other.run(milliseconds: Limits.graftMilliseconds + 2 * Limits.silenceMilliseconds)
        #expect(other.wants.isEmpty)
        #expect(spent.isOpen)
    }

    @Test func `The few links that are left are branches again`() throws {
        let town = try Town(nodes: 1, seed: 42)
        try town.startAll(eagerLinks: 1)
        var writer = Writer(town, seed: 5)
        let push = try writer.push("new")
        let first = Stranger(town.world, seed: 1)
        let second = Stranger(town.world, seed: 2)
        first.greet(Self.hello)
        second.greet(Self.hello)
        first.send(push)
        first.run(milliseconds: 100)
        second.send(push)
        second.run(milliseconds: 100)
        #expect(branchings(second) == [.named])
        town.world.hangUp(first.session)
        second.run(milliseconds: 100)
        #expect(branchings(second) == [.named, .pushed])
    }

    @Test func `A peer that turns its link over and over is taken`() throws {
        let town = try Town(nodes: 1, seed: 43)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Self.hello)
        for _ in 0..<1_000 { stranger.send(.branch(.named), .branch(.pushed)) }
        stranger.run(milliseconds: 200)
        stranger.forget()
        try town.write("post", on: 0)
        stranger.run(milliseconds: 200)
        #expect(stranger.chunks.count == 1)
        // Nothing answers it, and nothing is disturbed by it.
        #expect(branchings(stranger).isEmpty)
        #expect(town.violations(0).isEmpty)
    }
}
