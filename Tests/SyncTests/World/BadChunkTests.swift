import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Chunks that prove nothing: what came before stays, what comes from there on is not stored, and the peer is dropped.
struct BadChunkTests {
    /// A town of one node, and a stranger that offers `size` entries of an author.
    private func meet(_ author: Author, size: UInt64, seed: UInt64 = 51) throws -> (Town, Stranger) {
        let town = try Town(nodes: 1, seed: seed)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: size)], number: 1)))
        stranger.run(milliseconds: 50)
        #expect(stranger.wants.count == 1)
        return (town, stranger)
    }

    private var network: NetworkID { NetworkID(name: "simulation") }

    /// The entries of one author in ranges, as a peer sends them.
    private func ranges(_ count: Int, of total: Int) throws -> (Author, [UnverifiedChunk]) {
        let store = LightStore()
        var author = Author(seed: 8, network: network)
        _ = try store.append(author.write((0..<total).map { Array("entry \($0)".utf8) }, at: 1_000))
        var chunks: [UnverifiedChunk] = []
        var from: UInt64 = 0
        while from < UInt64(total) {
            let want = RangeWant(log: author.log, from: from, certificate: .send)
            guard case .chunk(let chunk) = try store.ranges([want], byteLimit: count * 14).first else { break }
            chunks.append(chunk)
            from = chunk.start + chunk.count
        }
        return (author, chunks)
    }

    @Test(arguments: [1, 5, 9])
    func `A wrong entry in the middle of a catch up`(bad: Int) throws {
        let (author, good) = try ranges(100, of: 1_000)
        #expect(good.count >= 10)
        let (town, stranger) = try meet(author, size: 1_000)
        let before = good[bad].start
        let source = LightStore()
        var writer = Author(seed: 8, network: network)
        _ = try source.append(writer.write((0..<1_000).map { Array("entry \($0)".utf8) }, at: 1_000))
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return [] }
            let nodes = (try? source.prefixNodes(of: question.log, end: question.end)) ?? []
            return [.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: nodes))]
        }
        for (place, chunk) in good.enumerated() {
            let sent = place == bad ? chunk.with(entries: chunk.entries.flipping(chunk.entries.count - 1)) : chunk
            stranger.send(.chunks(Chunks(chunks: [sent])))
        }
        stranger.run(milliseconds: 100)
        #expect(town.stores[0].stored(author.log) == before, "what came before stays, nothing else is stored")
        #expect(town.stores[0].size(author.log) == 0)
        expectViolation(.falseFork, of: stranger, in: town)
        // Another peer brings the rest, and only the rest.
        let honest = Stranger(town.world, seed: 79)
        honest.greet()
        honest.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1_000)], number: 1)))
        honest.run(milliseconds: 50)
        #expect(honest.wants == [RangeWant(log: author.log, from: before, certificate: .known)])
        for chunk in good[bad...] { honest.send(.chunks(Chunks(chunks: [chunk]))) }
        honest.run(milliseconds: 200)
        #expect(town.stores[0].size(author.log) == 1_000)
    }

    @Test func `A wrong node in the proof`() throws {
        let (author, good) = try ranges(100, of: 1_000)
        let (town, stranger) = try meet(author, size: 1_000)
        let first = good[0]
        var nodes = first.right
        nodes[0] = Author.bytes(1, "wrong")
        stranger.send(.chunks(Chunks(chunks: [first.with(right: nodes)])))
        expectViolation(.badProof, of: stranger, in: town)
        #expect(town.stores[0].stored(author.log) == 0)
    }

    @Test func `A node too many`() throws {
        let (author, good) = try ranges(100, of: 1_000)
        let (town, stranger) = try meet(author, size: 1_000)
        let first = good[0]
        stranger.send(.chunks(Chunks(chunks: [first.with(right: first.right + [.zero])])))
        expectViolation(.wrongNodeCount, of: stranger, in: town)
    }

    @Test func `A forged signature`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        let signed = try #require(good[0].signature)
        let forged = try #require(Signature(signed.bytes.flipping(40)))
        stranger.send(.chunks(Chunks(chunks: [good[0].with(signature: forged)])))
        expectViolation(.badProof, of: stranger, in: town)
        #expect(town.stores[0].stored(author.log) == 0)
    }

    @Test func `A forged certificate`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        let forged = good[0].certificate?.flipping(150)
        stranger.send(.chunks(Chunks(chunks: [good[0].with(certificate: forged)])))
        expectViolation(.badCertificate, of: stranger, in: town)
    }

    @Test func `The certificate of another log`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        let other = Author(seed: 9, network: network).certificate.bytes
        stranger.send(.chunks(Chunks(chunks: [good[0].with(certificate: other)])))
        expectViolation(.badCertificate, of: stranger, in: town)
    }

    @Test func `A missing certificate`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        stranger.send(.chunks(Chunks(chunks: [good[0].with(certificate: .some(nil))])))
        expectViolation(.certificateMissing, of: stranger, in: town)
    }

    @Test func `A head of another network`() throws {
        var author = Author(seed: 8, network: NetworkID(name: "elsewhere"))
        let chunk = author.write("not for here", at: 1)
        let (town, stranger) = try meet(author, size: 1)
        stranger.send(.chunks(Chunks(chunks: [chunk.unverified])))
        expectViolation(.foreignNetwork, of: stranger, in: town)
        #expect(town.stores[0].stored(author.log) == 0)
    }

    @Test func `Entries with bytes left over`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        stranger.send(.chunks(Chunks(chunks: [good[0].with(entries: good[0].entries + [0])])))
        expectViolation(.malformedEntries, of: stranger, in: town)
    }

    @Test func `A strangers chunk is not stored under anothers log`() throws {
        let (author, _) = try ranges(2_000, of: 100)
        var thief = Author(seed: 9, network: network)
        let chunk = thief.write("posted by somebody else", at: 1).unverified
        let (town, stranger) = try meet(author, size: 100)
        stranger.send(.chunks(Chunks(chunks: [chunk.with(log: author.log)])))
        expectViolation(.badCertificate, of: stranger, in: town)
        #expect(town.stores[0].contents.isEmpty)
    }

    @Test func `What nobody has looked at is dropped with its sender`() throws {
        let town = try Town(nodes: 1, seed: 52) { $0.workMilliseconds = 50...50 }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        var first = Author(seed: 8, network: network)
        var second = Author(seed: 9, network: network)
        stranger.send(.chunks(Chunks(chunks: [first.write("in time", at: 1).unverified], number: 1)))
        stranger.run(milliseconds: 20)
        stranger.send(.chunks(Chunks(chunks: [second.write("too late", at: 1).unverified], number: 2)))
        stranger.send(.hello(Stranger.hello()))
        stranger.run(milliseconds: 500)
        #expect(town.violations(0) == [.secondHello])
        #expect(town.stores[0].size(first.log) == 1)
        #expect(town.world.nodes[0].verifiedEntries == 1)
    }

    @Test func `What others send meanwhile is stored`() throws {
        let (author, good) = try ranges(2_000, of: 100)
        let (town, stranger) = try meet(author, size: 100)
        let honest = Stranger(town.world, seed: 79)
        honest.greet()
        var other = Author(seed: 10, network: network)
        let fine = other.write("fine", at: 1).unverified
        stranger.send(.chunks(Chunks(chunks: [good[0].with(entries: good[0].entries + [0])])))
        honest.send(.chunks(Chunks(chunks: [fine], number: 1)))
        honest.run(milliseconds: 200)
        #expect(town.violations(0) == [.malformedEntries])
        #expect(town.stores[0].size(other.log) == 1)
        #expect(honest.isOpen)
    }
}

extension UnverifiedChunk {
    func with(
        log: LogID? = nil,
        certificate: [UInt8]?? = nil,
        start: UInt64? = nil,
        count: UInt64? = nil,
        size: UInt64? = nil,
        signature: Signature? = nil,
        entries: [UInt8]? = nil,
        right: [Bytes32]? = nil
    ) -> UnverifiedChunk {
        UnverifiedChunk(
            log: log ?? self.log,
            certificate: certificate ?? self.certificate,
            start: start ?? self.start,
            count: count ?? self.count,
            size: size ?? self.size,
            proof: signature.map { .head($0) } ?? proof,
            entries: entries ?? self.entries,
            right: right ?? self.right
        )
    }
}

extension [UInt8] {
    /// The same with one bit changed.
    func flipping(_ place: Int) -> [UInt8] {
        var copy = self
        copy[place] ^= 1
        return copy
    }
}
