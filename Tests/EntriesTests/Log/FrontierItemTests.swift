import Entries
import Sodium
import TestSupport
import Testing

struct FrontierItemTests {
    // Computed by Python's hashlib.blake2b(person=b"scurry/item").
    @Test func `An item is the hash of what the fold reads`() throws {
        let log = LogID(raw: try #require(Bytes32(0..<32)))
        let root = try #require(Bytes32(32..<64))
        let settledRoot = try #require(Bytes32(64..<96))
        let settled = KnownRoot(size: 4, root: settledRoot)
        let cases: [(FrontierItem, String)] = [
            (
                FrontierItem(log: log, size: 5, root: root),
                "04203b3e39251f63b11d57442e144abbca984b274a7e403c32397c78f9fe0e7d"
            ),
            (
                FrontierItem(log: log, size: 5, root: root, cut: 5),
                "278ff45b0c6aab8e57116d2e8f1d5123ebc2893289212d2ef43b9ec7cec35bb2"
            ),
            (
                FrontierItem(log: log, size: 4, root: root, settled: settled),
                "d437d70b2b8c7f2f9b0ba6de5cad11db76c78c454466f0cdcc14f31ccadfa764"
            ),
            (
                FrontierItem(log: log, size: 3, root: root, cut: 3, settled: settled),
                "c5059b64eaf3fc38e24338ba0312ecd049a15ac0782cc27c8cdfa93f640bccfd"
            ),
        ]
        for (item, id) in cases { #expect(item.id.description == id) }
    }

    @Test func `Each field changes the item`() {
        var random = SeededRandom.announced()
        let log = LogID(raw: random.bytes32())
        let root = random.bytes32()
        let settled = KnownRoot(size: 5, root: root)
        let items = [
            FrontierItem(log: log, size: 5, root: root),
            FrontierItem(log: LogID(raw: root), size: 5, root: root),
            FrontierItem(log: log, size: 6, root: root),
            FrontierItem(log: log, size: 5, root: log.raw),
            FrontierItem(log: log, size: 5, root: root, cut: 5),
            FrontierItem(log: log, size: 5, root: root, cut: 6),
            FrontierItem(log: log, size: 5, root: root, settled: settled),
            FrontierItem(log: log, size: 5, root: root, settled: KnownRoot(size: 6, root: root)),
            FrontierItem(log: log, size: 5, root: root, settled: KnownRoot(size: 5, root: log.raw)),
        ]
        #expect(Set(items.map(\.id)).count == items.count)
    }
}
