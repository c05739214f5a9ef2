import Entries
import Sodium
import Sync

/// Many logs as frontier items: the time of the last entry and a root of each.
struct FrontierTown {
    /// Items by log number.
    private(set) var items: [TimedItem] = []
    private static let present: UInt32 = 1_800_000_000
    private static let threeYears = 94_608_000.0

    private var chance: Generator
    private var sizes: [UInt64]
    private var clock = present
    private var turn = 0

    init(logs: Int, seed: UInt64) {
        chance = Generator(seed: seed)
        sizes = [UInt64](repeating: 20, count: logs)
        items.reserveCapacity(logs)
        for log in 0..<logs {
            // The cube: half of the logs were written within the last five months, a tenth within about a day.
            let age = Self.threeYears * draw() * draw() * draw()
            items.append(item(UInt32(log), seconds: Self.present - UInt32(age)))
        }
    }

    /// Bytes of a LogSize in a list: log, size, and their tags.
    static let logSizeBytes = 2 + 34 + 2
    /// Bytes of a LogSize with the root.
    static let heldLogBytes = logSizeBytes + 34

    /// Chooses the logs that change, each once.
    mutating func choose(_ count: Int, _ pattern: FrontierBench.Pattern) -> [Int] {
        let byAge = items.indices.sorted { items[$0] > items[$1] }
        var chosen: Set<Int> = []
        while chosen.count < count {
            switch pattern {
            case .newest: chosen.insert(byAge[chosen.count])
            case .campus:
                let share = draw() * draw() * draw() * draw()
                chosen.insert(byAge[min(Int(share * Double(items.count)), items.count - 1)])
            case .spread: chosen.insert(Int.random(in: items.indices, using: &chance))
            }
        }
        return chosen.sorted()
    }

    /// Adds one entry to a log, within the hour.
    mutating func advance(_ log: Int) -> TimedItem {
        sizes[log] += 1
        items[log] = item(UInt32(log), seconds: Self.present + UInt32(draw() * 3_600))
        return items[log]
    }

    /// Adds an entry, later than all others, to a random log; returns its old item and its new one.
    mutating func move() -> (old: TimedItem, new: TimedItem) {
        let log = Int.random(in: items.indices, using: &chance)
        turn += 1
        clock = Self.present + 3_600 + UInt32(turn / 100)
        let old = items[log]
        sizes[log] += 1
        items[log] = item(UInt32(log), seconds: clock)
        return (old, items[log])
    }

    private mutating func draw() -> Double { Double.random(in: 0..<1, using: &chance) }

    private mutating func item(_ log: UInt32, seconds: UInt32) -> TimedItem {
        let item = FrontierItem(
            log: LogID(raw: Self.bytes(UInt64(log), 1)),
            size: sizes[Int(log)],
            root: Self.bytes(UInt64(log), sizes[Int(log)])
        )
        return TimedItem(seconds: seconds, log: log, id: item.id)
    }

    private static func bytes(_ first: UInt64, _ second: UInt64) -> Bytes32 {
        var bytes = Bytes32()
        bytes.withUnsafeMutableBytes { raw in
            raw.storeBytes(of: first, as: UInt64.self)
            raw.storeBytes(of: second, toByteOffset: 8, as: UInt64.self)
        }
        return bytes
    }
}
