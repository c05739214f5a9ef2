import Entries
import Simulation
import Testing

@testable import Sync

/// A long message is looked at a part at a time, so that others have their say between (`protocol/node.md` §4).
struct TurnTests {
    private let town: Town
    private let stranger: Stranger
    /// The node's side of that connection.
    private let session: SessionID

    init() throws {
        town = try Town(nodes: 1, seed: 1_600)
        try town.startAll()
        stranger = Stranger(town.world)
        stranger.greet()
        session = try #require(town.world.nodes[0].machine?.order.last)
    }

    private var machine: NodeMachine? { town.world.nodes[0].machine }
    private var offers: Int? { machine?.links[session]?.offersOpen }
    private var isReading: Bool { machine?.hasUnread(session) == true }

    private func changes(_ count: Int, from first: Int = 0, number: UInt64) -> Message {
        let logs = (first..<first + count).map { LogSize(log: LogID(raw: Author.bytes(UInt64($0), "a log")), size: 3) }
        return .changes(Changes(logs: logs, number: number))
    }

    /// The first post of each author, of whom nobody has heard.
    private func posts(by seeds: Range<UInt64>) -> [UnverifiedChunk] {
        seeds.map { seed in
            var author = Author(seed: seed, network: town.network)
            return author.write("a post", at: town.world.moment.wallMilliseconds).unverified
        }
    }

    private func receive(_ message: Message, of stranger: Stranger, on session: SessionID) {
        town.world.give(0, .received(session, stranger.sealed(message), .inTurns))
    }

    @Test func `Whoever says little has its turn within another's long message`() throws {
        let other = Stranger(town.world, seed: 78)
        other.greet()
        let second = try #require(machine?.order.last)
        receive(changes(300, number: 7), of: stranger, on: session)
        #expect(offers == Limits.turnItems && isReading)
        receive(changes(5, from: 900, number: 3), of: other, on: second)
        #expect(machine?.links[second]?.offersOpen == 5 && machine?.hasUnread(second) == false)
        #expect(machine?.links[session]?.milestones.announced == 0)
        town.world.give(0, .readOn(session))
        #expect(offers == 2 * Limits.turnItems && isReading)
        town.world.give(0, .readOn(session))
        #expect(offers == 300 && !isReading)
        #expect(machine?.links[session]?.milestones.announced == 7)
    }

    @Test func `Of many short messages as many are looked at in a turn`() {
        var bytes: [UInt8] = []
        for number in 1...200 { bytes += stranger.sealed(changes(1, from: number, number: UInt64(number))) }
        town.world.give(0, .received(session, bytes, .inTurns))
        #expect(offers == Limits.turnItems && isReading)
        town.world.give(0, .readOn(session))
        #expect(offers == 200 && !isReading)
    }

    @Test func `Nothing is asked for before all that was told is known`() {
        stranger.run(milliseconds: 100)
        receive(changes(300, number: 7), of: stranger, on: session)
        #expect(machine?.status.sessions.last?.wantsInFlight == 0)
        town.world.give(0, .readOn(session))
        town.world.give(0, .readOn(session))
        #expect(machine?.status.sessions.last?.wantsInFlight == 300)
    }

    @Test func `Where nobody waits all of it is looked at`() {
        town.world.give(0, .received(session, stranger.sealed(changes(300, number: 7))))
        #expect(offers == 300 && !isReading)
    }

    @Test func `A fault behind a long message is found behind it`() {
        let broken = Frame(type: MessageType.want.rawValue, body: [0x0A, 10, 1])
        let bytes = stranger.sealed(frames: [changes(200, number: 7).frame, broken])
        town.world.give(0, .received(session, bytes, .inTurns))
        #expect(town.violations(0).isEmpty && offers == Limits.turnItems)
        town.world.give(0, .readOn(session))
        #expect(town.violations(0) == [.malformedMessage])
        #expect(!isReading && machine?.links[session] == nil)
    }

    @Test func `Where the channel breaks off behind a long message, its beginning is answered by nothing`() throws {
        let state = try #require(machine).frontier
        let question = KeepAlive(
            fingerprint: state.fingerprint,
            count: UInt64(state.count),
            number: 0,
            activity: .busy,
            request: .answer
        )
        let unknown = Array(repeating: Frame(type: 99, body: []), count: Limits.turnItems)
        let bytes = stranger.sealed(frames: [Message.keepAlive(question).frame] + unknown)
        town.world.give(0, .received(session, bytes + [0, 20] + [UInt8](repeating: 7, count: 20), .inTurns))
        #expect(town.violations(0).isEmpty && isReading)
        town.world.give(0, .readOn(session))
        #expect(town.violations(0) == [.decryption])
        #expect(machine?.links[session] == nil)
    }

    @Test func `Who is gone before the rest was read has said no more`() {
        receive(changes(300, number: 7), of: stranger, on: session)
        town.world.give(0, .closed(session))
        town.world.give(0, .readOn(session))
        #expect(!isReading && machine?.links[session] == nil)
    }

    @Test func `Chunks that come in turns are stored and paid for as others are`() throws {
        let chunks = posts(by: 60_000..<60_200)
        receive(.chunks(Chunks(chunks: chunks, number: 9)), of: stranger, on: session)
        #expect(isReading)
        town.world.give(0, .readOn(session))
        #expect(!isReading)
        stranger.run(milliseconds: 30_000)
        #expect(town.stores[0].present.frontier.count == 200)
        #expect(machine?.links[session]?.arriving == 0)
        #expect(machine?.links[session]?.milestones.announced == 9)
        #expect(stranger.isOpen)
    }

    @Test func `Each chunk gives back its own share of the credit`() throws {
        // Somebody else is live: little is stored at once.
        let other = Stranger(town.world, seed: 78)
        other.greet()
        let second = try #require(machine?.order.last)
        var friend = Author(seed: 62_000, network: town.network)
        let news = friend.write("a post", at: town.world.moment.wallMilliseconds).unverified
        receive(.chunks(Chunks(chunks: [news])), of: other, on: second)
        town.world.run(milliseconds: 20)
        let chunks = posts(by: 61_000..<61_200)
        let share = UInt64(chunks[0].wireBytes) / 2
        receive(.chunks(Chunks(chunks: chunks, number: 9)), of: stranger, on: session)
        town.world.give(0, .readOn(session))
        #expect(!isReading)
        var least = 200
        for _ in 0..<2_000 {
            let stored = town.stores[0].present.frontier.count - 1
            least = min(least, 200 - stored)
            // A share is estimated, and never too small: nothing may be left for the last ones.
            if stored < 100 { #expect(machine?.pipeline.costs[session] ?? 0 >= UInt64(200 - stored) * share) }
            town.world.run(milliseconds: 1)
        }
        #expect(least == 0)
    }

    @Test func `Words go with the log that they are of`() {
        guard case .changes(let all) = changes(300, number: 7) else { return }
        let words = [3, 200, 299].map { HeldLog(item: all.logs[$0], root: nil) }
        let parts = Message.changes(Changes(logs: all.logs, number: 7, held: words)).parted(after: 128)
        guard case .changes(let first) = parts?.first, case .changes(let rest) = parts?.rest else {
            Issue.record("it was not parted")
            return
        }
        #expect(first.held == [words[0]] && rest.held == [words[1], words[2]])
    }

    @Test(arguments: [1, 2, 127, 128, 129, 299])
    func `Two parts are one message`(count: Int) throws {
        let whole = changes(300, number: 7)
        guard case .changes(let all) = whole, let parts = whole.parted(after: count),
            case .changes(let first) = parts.first, case .changes(let rest) = parts.rest
        else {
            Issue.record("it was not parted")
            return
        }
        #expect(first.logs + rest.logs == all.logs && first.logs.count == count)
        #expect(first.number == nil && rest.number == 7)
        #expect(parts.first.weight == count && parts.rest.weight == 300 - count)
        #expect(whole.parted(after: 300) == nil && whole.parted(after: 0) == nil)
    }
}
