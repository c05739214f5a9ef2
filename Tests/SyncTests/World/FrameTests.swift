import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Messages that no honest peer sends.
struct FrameTests {
    private func meet(seed: UInt64 = 71, version: UInt32 = 1) throws -> (Town, Stranger) {
        let town = try Town(nodes: 1, seed: seed)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: version))
        return (town, stranger)
    }

    private let log = LogID(raw: Author.bytes(1, "log"))

    @Test func `An unknown type is ignored`() throws {
        let (town, stranger) = try meet()
        stranger.send(frames: [
            Frame(type: 99, body: [1, 2, 3]), Frame(type: 17, body: []), Frame(type: 0, body: [255]),
        ])
        stranger.run(milliseconds: 200)
        #expect(stranger.isOpen)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Unknown fields are ignored`() throws {
        let (town, stranger) = try meet()
        var body = Message.keepAlive(.any).frame.body
        body += [0xF8, 0x01, 0x05]
        stranger.send(frames: [Frame(type: MessageType.keepAlive.rawValue, body: body)])
        stranger.run(milliseconds: 200)
        #expect(stranger.isOpen)
        #expect(town.violations(0).isEmpty)
    }

    @Test(arguments: MessageType.allCases.filter { ![.hello, .peersWanted].contains($0) })
    func `A truncated body`(type: MessageType) throws {
        let (town, stranger) = try meet(version: 2)
        // Field 1, ten bytes long, of which there is one.
        stranger.send(frames: [Frame(type: type.rawValue, body: [0x0A, 10, 1])])
        expectViolation(.malformedMessage, of: stranger, in: town)
    }

    @Test func `Random bodies never trap`() throws {
        var chance = Chance(seed: 72)
        for round in 0..<3_000 {
            let type = UInt8(truncatingIfNeeded: chance.next() % 24)
            var body = (0..<Int(chance.next() % 120)).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
            if round % 2 == 0, !body.isEmpty { body[0] = [0x0A, 0x12, 0x08, 0x10, 0x1A][round % 5] }
            do throws(SyncViolation) {
                _ = try Message(Frame(type: type, body: body))
            } catch {
                #expect(
                    [
                        .malformedMessage, .wrongFieldLength, .tooManyItems, .impossibleNumber, .impossibleVersions,
                        .emptyChunk, .impossiblePage, .impossibleReconciliation,
                    ].contains(error)
                )
            }
        }
    }

    @Test func `A frame beyond the largest is refused`() throws {
        let (town, stranger) = try meet()
        // The channel of a stranger writes no such thing: what it sends is random to the other side.
        stranger.send(raw: [0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_535))
        stranger.run(milliseconds: 200)
        #expect(town.violations(0) == [.decryption])
        #expect(!stranger.isOpen)
    }

    @Test func `A message before hello`() throws {
        let town = try Town(nodes: 1, seed: 73)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.run(milliseconds: 100)
        stranger.send(.changes(Changes(logs: [], number: 1)))
        expectViolation(.helloMissing, of: stranger, in: town)
    }

    @Test func `A second hello`() throws {
        let (town, stranger) = try meet()
        stranger.send(.hello(Stranger.hello()))
        expectViolation(.secondHello, of: stranger, in: town)
    }

    @Test func `A size of nothing`() throws {
        let (town, stranger) = try meet()
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: 0)], number: 1)))
        expectViolation(.impossibleNumber, of: stranger, in: town)
    }

    @Test func `A size beyond every log`() throws {
        let (town, stranger) = try meet()
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: 1 << 32)], number: 1)))
        expectViolation(.impossibleNumber, of: stranger, in: town)
    }

    @Test func `The largest size is fine`() throws {
        let (town, stranger) = try meet()
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: (1 << 32) - 1)], number: 1)))
        stranger.run(milliseconds: 200)
        #expect(town.violations(0).isEmpty)
        #expect(stranger.wants.count == 1)
    }

    @Test(arguments: [
        (start: UInt64(0), count: UInt64(1), size: UInt64(1) << 32), (start: 5, count: 1, size: 5),
        (start: 0, count: 3, size: 2), (start: .max, count: 2, size: 3), (start: 1, count: .max, size: 3),
    ])
    func `Impossible bounds of a chunk`(bounds: (start: UInt64, count: UInt64, size: UInt64)) throws {
        let (town, stranger) = try meet()
        var author = Author(seed: 8, network: town.network)
        let chunk = author.write("x", at: 1).unverified
        let wrong = chunk.with(start: bounds.start, count: bounds.count, size: bounds.size)
        stranger.send(.chunks(Chunks(chunks: [wrong], number: 1)))
        expectViolation(.impossibleNumber, of: stranger, in: town)
    }

    @Test func `An empty chunk`() throws {
        let (town, stranger) = try meet()
        var author = Author(seed: 8, network: town.network)
        let chunk = author.write("x", at: 1).unverified
        stranger.send(.chunks(Chunks(chunks: [chunk.with(count: 0, entries: [])], number: 1)))
        expectViolation(.emptyChunk, of: stranger, in: town)
    }

    @Test func `Too many items`() throws {
        let (town, stranger) = try meet()
        let logs = (0..<2_001).map { LogSize(log: LogID(raw: Author.bytes(UInt64($0), "log")), size: 1) }
        stranger.send(.changes(Changes(logs: logs, number: 1)))
        expectViolation(.tooManyItems, of: stranger, in: town)
    }

    @Test func `Half a million empty items are counted before they are decoded`() throws {
        let (town, stranger) = try meet()
        let body = [[UInt8]](repeating: [0x0A, 0], count: 500_000).flatMap { $0 }
        stranger.send(frames: [Frame(type: MessageType.changes.rawValue, body: body)])
        expectViolation(.tooManyItems, of: stranger, in: town)
    }

    @Test func `Items are counted also where the rest does not parse`() throws {
        let (town, stranger) = try meet()
        let items = [[UInt8]](repeating: [0x0A, 0], count: 5_000).flatMap { $0 }
        let body: [UInt8] = items + [0x0A, 9]
        stranger.send(frames: [Frame(type: MessageType.changes.rawValue, body: body)])
        expectViolation(.tooManyItems, of: stranger, in: town)
    }

    @Test func `An id that is too short`() throws {
        let (town, stranger) = try meet()
        let body: [UInt8] = [0x0A, 35, 0x0A, 31] + [UInt8](repeating: 1, count: 31) + [0x10, 1]
        #expect(throws: SyncViolation.wrongFieldLength) { try Message(Frame(type: 3, body: body)) }
        stranger.send(frames: [Frame(type: 3, body: body)])
        expectViolation(.wrongFieldLength, of: stranger, in: town)
    }

    @Test func `A number that goes back`() throws {
        let (town, stranger) = try meet()
        stranger.send(.changes(Changes(logs: [], number: 9)), .changes(Changes(logs: [], number: 8)))
        expectViolation(.numberWentBack, of: stranger, in: town)
    }

    @Test func `An answer that nobody asked for`() throws {
        let (town, stranger) = try meet()
        stranger.send(.comparison(ComparisonAnswer(page: 1, logs: [])))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `An own log that nobody asked for`() throws {
        let (town, stranger) = try meet()
        stranger.send(.ownLog(OwnLogAnswer(log: log, size: 0, root: .zero)))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `Peers that nobody asked for`() throws {
        let (town, stranger) = try meet()
        stranger.send(.peers([]))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `A page from the side that was dialled`() throws {
        let town = try Town(nodes: 1, seed: 78)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet()
        #expect(stranger.isEstablished)
        stranger.send(.compare(ComparePage(page: 1, bounds: PageBounds(after: nil, through: nil), logs: [])))
        expectViolation(.impossiblePage, of: stranger, in: town)
    }

    @Test func `An answer to another page`() throws {
        let town = try Town(nodes: 1, seed: 79)
        try town.write("a post", on: 0)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.answer = { message in
            guard case .compare(let page) = message else { return [] }
            return [.comparison(ComparisonAnswer(page: page.page + 1, logs: []))]
        }
        stranger.greet()
        stranger.run(milliseconds: 500)
        let word = KeepAlive.any
        stranger.send(
            .keepAlive(
                KeepAlive(fingerprint: word.fingerprint, count: 9, number: 0, activity: .quiet, request: .nothing)
            )
        )
        expectViolation(.impossiblePage, of: stranger, in: town)
    }

    @Test func `Pages out of order`() throws {
        let (town, stranger) = try meet()
        let page = ComparePage(page: 2, bounds: PageBounds(after: nil, through: nil), logs: [])
        stranger.send(.compare(page))
        expectViolation(.impossiblePage, of: stranger, in: town)
    }

    @Test func `Logs out of order in a page`() throws {
        let (town, stranger) = try meet()
        let logs = [3, 1].map { LogSize(log: LogID(raw: Bytes32(repeating: $0)), size: 1) }
        let page = ComparePage(page: 1, bounds: PageBounds(after: nil, through: nil), logs: logs)
        stranger.send(.compare(page))
        expectViolation(.impossiblePage, of: stranger, in: town)
    }

    @Test func `Logs outside the page`() throws {
        let (town, stranger) = try meet()
        let bounds = PageBounds(after: nil, through: LogID(raw: Bytes32(repeating: 2)))
        let logs = [LogSize(log: LogID(raw: Bytes32(repeating: 3)), size: 1)]
        stranger.send(.compare(ComparePage(page: 1, bounds: bounds, logs: logs)))
        expectViolation(.impossiblePage, of: stranger, in: town)
    }

    @Test func `Too many wants`() throws {
        let (town, stranger) = try meet()
        town.world.setReading(.paused, 0)
        for lot in 0..<9 {
            let wants = (0..<1_024).map {
                RangeWant(log: LogID(raw: Author.bytes(UInt64(lot * 2_000 + $0), "log")), from: 0, certificate: .send)
            }
            stranger.send(.want(wants))
        }
        town.world.run(milliseconds: 50)
        town.world.setReading(.reading, 0)
        expectViolation(.tooManyQuestions, of: stranger, in: town)
    }

    @Test func `Too many bodies`() throws {
        let (town, stranger) = try meet()
        town.world.setReading(.paused, 0)
        for lot in 0..<9 {
            stranger.send(
                .bodiesWanted((0..<1_024).map { BodyPlace(log: log, sequence: UInt64(lot * 1_024 + $0)) })
            )
        }
        town.world.run(milliseconds: 50)
        town.world.setReading(.reading, 0)
        expectViolation(.tooManyQuestions, of: stranger, in: town)
    }

    @Test func `What lies beyond every log is lacking`() throws {
        let (_, stranger) = try meet()
        let place = BodyPlace(log: log, sequence: .max)
        stranger.send(.want([RangeWant(log: log, from: .max, certificate: .known)]), .bodiesWanted([place]))
        stranger.send(.prefixWanted(PrefixQuestion(log: log, end: .max)))
        stranger.run(milliseconds: 200)
        #expect(stranger.chunks.flatMap(\.lacking) == [log])
        #expect(stranger.inbox.contains(.bodies([BodyAnswer(place: place, payload: nil)])))
        #expect(stranger.inbox.contains(.prefix(PrefixAnswer(log: log, end: .max, nodes: []))))
    }

    @Test func `Too many prefix questions`() throws {
        let (town, stranger) = try meet()
        let question = PrefixQuestion(log: log, end: 1)
        stranger.send(frames: (0..<65).map { _ in Message.prefixWanted(question).frame })
        expectViolation(.tooManyQuestions, of: stranger, in: town)
    }

    @Test func `Impossible versions`() throws {
        let town = try Town(nodes: 1, seed: 74)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 1, oldestVersion: 2))
        expectViolation(.impossibleVersions, of: stranger, in: town)
    }

    @Test func `Too little credit for anything`() throws {
        let town = try Town(nodes: 1, seed: 75)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(credit: Limits.minimumCreditBytes - 1))
        expectViolation(.impossibleNumber, of: stranger, in: town)
    }

    @Test func `Noise of another kind`() throws {
        let town = try Town(nodes: 1, seed: 76)
        try town.startAll()
        let session = town.world.openRaw(to: 0)
        town.world.sendRaw(Array("GET / HTTP/1.1\r\n\r\n".utf8), from: session)
        town.world.run(milliseconds: 200)
        #expect(town.violations(0) == [.handshake])
        #expect(!town.world.isOpen(session))
        // Others of that host are let in, and it is told once.
        let again = town.world.openRaw(to: 0)
        town.world.sendRaw([UInt8](repeating: 0, count: 100), from: again)
        let stranger = Stranger(town.world)
        stranger.greet()
        #expect(!town.world.isOpen(again) && stranger.isOpen)
        #expect(town.violations(0) == [.handshake])
    }

    @Test func `A peer of another network`() throws {
        let town = try Town(nodes: 1, seed: 77)
        try town.startAll()
        let stranger = Stranger(town.world, network: NetworkID(name: "elsewhere"))
        stranger.greet()
        #expect(!stranger.isEstablished)
        town.world.run(milliseconds: 15_000)
        #expect(!stranger.isOpen)
    }
}

extension Bytes32 {
    /// Thirty-two times the same byte.
    init(repeating byte: UInt8) {
        self.init()
        withUnsafeMutableBytes { target in
            for place in target.indices { target[place] = byte }
        }
    }
}
