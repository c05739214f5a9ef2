import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Lists at their bounds and one beyond, and hints that nobody can use.
struct MessageBoundsTests {
    private let log = LogID(raw: Author.bytes(1, "log"))

    private func violation(of message: Message) -> SyncViolation? { violation(of: message.frame) }

    private func violation(of frame: Frame) -> SyncViolation? {
        do throws(SyncViolation) {
            _ = try Message(frame)
            return nil
        } catch {
            return error
        }
    }

    private func chunk(nodes: Int) throws -> UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: nil,
            start: 1,
            count: 1,
            size: 9,
            signature: try #require(Signature([UInt8](repeating: 0, count: 64)[...])),
            entries: [],
            right: [Bytes32](repeating: .zero, count: nodes)
        )
    }

    @Test func `Chunks have their bounds`() throws {
        let one = try chunk(nodes: 0)
        let most = [UnverifiedChunk](repeating: one, count: Limits.chunksPerMessage)
        #expect(violation(of: .chunks(Chunks(chunks: most))) == nil)
        #expect(violation(of: .chunks(Chunks(chunks: most + [one]))) == .tooManyItems)
        let lacking = [LogID](repeating: log, count: Limits.chunksPerMessage + 1)
        #expect(violation(of: .chunks(Chunks(lacking: lacking))) == .tooManyItems)
    }

    @Test func `Nodes have their bounds`() throws {
        let (most, more) = try (chunk(nodes: 64), chunk(nodes: 65))
        #expect(violation(of: .chunks(Chunks(chunks: [most]))) == nil)
        #expect(violation(of: .chunks(Chunks(chunks: [more]))) == .tooManyItems)
    }

    @Test func `Bodies have their bounds`() {
        let one = BodyAnswer(place: BodyPlace(log: log, sequence: 1), payload: nil)
        let most = [BodyAnswer](repeating: one, count: Limits.bodiesPerMessage)
        #expect(violation(of: .bodies(most)) == nil)
        #expect(violation(of: .bodies(most + [one])) == .tooManyItems)
    }

    @Test func `Wanted bodies have their bounds`() {
        // One BodyWant that names a log and nothing else.
        let want: [UInt8] = [0x0A, 34, 0x0A, 32] + log.raw.bytes
        func frame(_ count: Int) -> Frame { Frame(type: 8, body: (0..<count).flatMap { _ in want }) }
        #expect(violation(of: frame(Limits.bodiesPerMessage)) == nil)
        #expect(violation(of: frame(Limits.bodiesPerMessage + 1)) == .tooManyItems)
    }

    @Test func `Comparisons have their bounds`() {
        let logs = (0...Limits.comparisonLogs).map { number in
            var raw = Bytes32()
            raw.withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number).bigEndian, as: UInt64.self) }
            return LogSize(log: LogID(raw: raw), size: 1)
        }
        #expect(violation(of: .comparison(ComparisonAnswer(page: 1, logs: Array(logs.dropLast())))) == nil)
        #expect(violation(of: .comparison(ComparisonAnswer(page: 1, logs: logs))) == .tooManyItems)
    }

    /// Found by the fuzzer: words made a log of size 0 pass where there are no words.
    @Test(arguments: [MessageType.compare, .comparison])
    func `What is compared by pages has entries`(type: MessageType) {
        // Of the log: its id, and fork evidence.
        let named = [0x0A, 32] + log.bytes + [0x22, 1, 7]
        let logs: UInt8 = type == .compare ? 0x22 : 0x12
        let read = { (size: [UInt8]) -> SyncViolation? in
            let held = named + size
            do throws(SyncViolation) {
                _ = try Message(Frame(type: type.rawValue, body: [8, 1, logs, UInt8(held.count)] + held))
                return nil
            } catch {
                return error
            }
        }
        #expect(read([0x10, 1]) == nil)
        #expect(read([0x10, 0]) == .impossibleNumber)
        #expect(read([]) == .impossibleNumber)
    }

    @Test func `Fields are counted without being decoded`() {
        let body = [[UInt8]](repeating: [0x0A, 0], count: 10).flatMap { $0 }
        #expect(FieldScan.isWithin(body, limit: 10))
        #expect(!FieldScan.isWithin(body, limit: 9))
        #expect(FieldScan.isWithin([0x0A, 200], limit: 1), "what does not parse the decoder refuses")
    }

    @Test(arguments: ["", "two words", "bell\u{7}", "büro", String(repeating: "a", count: 254)])
    func `An address that nobody can dial is left out`(host: String) throws {
        let node = NodeID(raw: Author.bytes(1, "node"))
        let bad = HeardPeer(address: PeerAddress(host: host, port: 1), node: node)
        let portless = HeardPeer(address: PeerAddress(host: "host", port: 0), node: node)
        let good = HeardPeer(address: PeerAddress(host: "host", port: 1), node: node)
        let read = try Message(Message.peers([bad, portless, good]).frame)
        #expect(read == .peers([good]))
    }

    @Test func `Reconciliations have their bounds`() {
        let message = [UInt8](repeating: 0, count: Limits.reconciliationMessageBytes)
        #expect(violation(of: .reconcile(Reconcile(stage: 1, round: 1, message: message))) == nil)
        let longer = Reconcile(stage: 1, round: 1, message: message + [0])
        #expect(violation(of: .reconcile(longer)) == .wrongFieldLength)
        let ids = [Bytes32](repeating: .zero, count: Limits.reconciliationIDs)
        #expect(violation(of: .itemsWanted(ItemsQuestion(stage: 1, ids: ids))) == nil)
        #expect(violation(of: .itemsWanted(ItemsQuestion(stage: 1, ids: ids + [.zero]))) == .tooManyItems)
        #expect(violation(of: .itemsWanted(ItemsQuestion(stage: 1, ids: []))) == .impossibleReconciliation)
        let held = HeldLog(item: LogSize(log: log, size: 1), root: .zero)
        let logs = [HeldLog](repeating: held, count: Limits.itemsPerMessage)
        #expect(violation(of: .items(Items(stage: 1, logs: logs, end: .more))) == nil)
        #expect(violation(of: .items(Items(stage: 1, logs: logs + [held], end: .more))) == .tooManyItems)
        #expect(violation(of: .items(Items(stage: 1, logs: [], end: .more))) == .impossibleReconciliation)
        #expect(violation(of: .items(Items(stage: 1, logs: [], end: .givenUp))) == nil)
        let nothing = HeldLog(item: LogSize(log: log, size: 0), root: nil)
        #expect(violation(of: .items(Items(stage: 1, logs: [nothing], end: .last))) == .impossibleNumber)
    }
}
