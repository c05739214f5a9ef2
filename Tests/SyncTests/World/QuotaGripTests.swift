import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What an identity has spent holds up whatever else it brings: a new log, a log without a head, an answer under way.
struct QuotaGripTests {
    private let world = World(WorldOptions(seed: 132))
    private let light = LightStore()
    private let store: OddStore
    private let stranger: Stranger

    init() throws {
        store = OddStore(light)
        _ = world.add(store, exchange: .off)
        try world.start(0)
        stranger = Stranger(world)
        stranger.greet(Stranger.hello(version: 2))
    }

    private var violations: [NodeReport] {
        world.nodes[0].reports.filter { if case .violation = $0 { true } else { false } }
    }

    /// A peer's log, and the chunks of an answer that brings all of it under one head.
    private func answer(_ entries: Int, by author: inout Author) throws -> [UnverifiedChunk] {
        let source = LightStore()
        _ = try source.append(author.write([[UInt8]](repeating: Array("some words".utf8), count: entries), at: 1))
        var chunks: [UnverifiedChunk] = []
        var from: UInt64 = 0
        while from < UInt64(entries) {
            let want = RangeWant(log: author.log, from: from, certificate: from == 0 ? .send : .known)
            guard case .chunk(let chunk) = try source.ranges([want], byteLimit: 1).first else { break }
            chunks.append(chunk)
            from = chunk.start + chunk.count
        }
        return chunks
    }

    private func send(_ chunk: UnverifiedChunk) {
        stranger.send(.chunks(Chunks(chunks: [chunk])))
        stranger.run(milliseconds: 50)
    }

    private enum Cause: CaseIterable {
        case entries
        case choices
    }

    private func charge(_ author: Author, mebibytes: UInt64, by cause: Cause = .entries) {
        let identity = author.certificate.certificate.identity
        let bytes = mebibytes * 1_048_576
        let recount =
            switch cause {
            case .entries: TakeReport.Recount(identity: identity, entries: bytes / Limits.recountQuotaBytes)
            case .choices: TakeReport.Recount(identity: identity, entries: 0, choiceBytes: bytes)
            }
        store.recounts = [recount]
    }

    /// Lets time pass without being taken for dead, until something is asked for.
    ///
    /// - Returns: seconds until then.
    private func wait(seconds limit: UInt64) -> UInt64 {
        var seconds: UInt64 = 0
        while seconds < limit, stranger.wants.isEmpty {
            stranger.send(
                .keepAlive(
                    KeepAlive(
                        fingerprint: FingerprintSum().fingerprint,
                        count: 0,
                        number: 0,
                        activity: .busy,
                        request: .nothing
                    )
                )
            )
            stranger.run(milliseconds: 5_000)
            seconds += 5
        }
        return seconds
    }

    /// Up to the burst once more it is taken, beyond that it is not.
    @Test(arguments: [(100, true), (140, false)] as [(UInt64, Bool)])
    func `An answer without end is stopped`(mebibytes: UInt64, isTaken: Bool) throws {
        var author = Author(seed: 9, network: world.network)
        let chunks = try answer(40, by: &author)
        try #require(chunks.count > 8)
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 40)], number: nil)))
        stranger.run(milliseconds: 50)
        #expect(stranger.wants.map(\.from) == [0])
        charge(author, mebibytes: mebibytes)
        for chunk in chunks.prefix(5) { send(chunk) }
        let verified = world.nodes[0].verifiedEntries
        #expect((verified == chunks.prefix(5).reduce(0) { $0 + $1.count }) == isTaken)
        #expect(violations.isEmpty && stranger.isOpen)
        guard !isTaken else { return }
        // Not even a part of it is here under a head, and yet its writer is known.
        stranger.forget()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 40)], number: nil)))
        for chunk in chunks.dropFirst(5) { send(chunk) }
        #expect((1_100...1_300).contains(wait(seconds: 2_000)))
        #expect(world.nodes[0].verifiedEntries == verified)
        #expect(stranger.wants.map(\.from) == [verified], "it is asked for where it was left")
        for chunk in chunks where chunk.start >= verified { send(chunk) }
        #expect(light.size(author.log) == 40)
        #expect(violations.isEmpty)
    }

    @Test(arguments: [true, false], Cause.allCases)
    private func aNewLogOfWhoHasSpentItWaits(isPushed: Bool, cause: Cause) throws {
        var first = Author(seed: 9, network: world.network)
        var second = Author(seed: 9, device: 1, network: world.network)
        charge(first, mebibytes: 68, by: cause)
        send(try answer(1, by: &first)[0])
        #expect(light.size(first.log) == 1)
        let chunk = try answer(1, by: &second)[0]
        let offer = Message.changes(Changes(logs: [LogSize(log: second.log, size: 1)], number: 3))
        if !isPushed {
            stranger.send(offer)
            stranger.run(milliseconds: 50)
            #expect(stranger.wants.map(\.log) == [second.log], "nobody knows whose it is")
        }
        send(chunk)
        stranger.send(offer)
        stranger.forget()
        #expect((50...75).contains(wait(seconds: 200)), "four mebibytes at 64 KiB a second")
        #expect(light.size(second.log) == 0)
        #expect(world.nodes[0].machine?.cursors[stranger.id] == nil)
        #expect(stranger.wants.map(\.log) == [second.log])
        send(chunk)
        #expect(light.size(second.log) == 1)
        #expect(violations.isEmpty)
    }

    @Test func `What is wanted patiently waits`() throws {
        var author = Author(seed: 9, network: world.network)
        var other = Author(seed: 10, network: world.network)
        send(try answer(1, by: &author)[0])
        #expect(light.size(author.log) == 1)
        stranger.answer = { message in
            guard case .want(let wants) = message else { return [] }
            return [.chunks(Chunks(lacking: wants.map(\.log)))]
        }
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 9)], number: 3)))
        stranger.run(milliseconds: 200)
        #expect(light.wantedLogs == [LogSize(log: author.log, size: 9)])
        charge(author, mebibytes: 68)
        send(try answer(1, by: &other)[0])
        stranger.forget()
        #expect((50...75).contains(wait(seconds: 200)), "four mebibytes at 64 KiB a second")
        #expect(stranger.wants.allSatisfy { $0.log == author.log })
        #expect(violations.isEmpty)
    }

    @Test func `Another identity is not delayed`() throws {
        var first = Author(seed: 9, network: world.network)
        var other = Author(seed: 10, network: world.network)
        charge(first, mebibytes: 200)
        send(try answer(1, by: &first)[0])
        send(try answer(1, by: &other)[0])
        #expect(light.size(other.log) == 1)
    }
}
