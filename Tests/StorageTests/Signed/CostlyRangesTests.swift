import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// What a short question makes the store read and hash.
@Suite struct CostlyRangesTests {
    /// A log whose window of one entry leaves out two stretches that no stored node covers, of 255 entries each.
    private func store(bodyBytes: Int) throws -> (EntryStore, Device) {
        let device = try Device(person: 1)
        for number in 0..<768 {
            let isCostly = (1..<256).contains(number) || (512..<767).contains(number)
            try device.post(String(repeating: "a", count: isCostly ? bodyBytes : 1), time: UInt64(number))
        }
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        return (store, device)
    }

    @Test(arguments: [(1, 20...40), (20_000, 1...1)])
    func `A read ends once it has hashed much, whatever few bytes it answers`(bodyBytes: Int, counts: ClosedRange<Int>)
        throws
    {
        let (store, device) = try store(bodyBytes: bodyBytes)
        let want = RangeWant(log: device.log, from: 1, certificate: .known, extent: .newest(1))
        let answers = try store.ranges(Array(repeating: want, count: 200), byteLimit: 1 << 20)
        #expect(counts.contains(answers.count), "\(answers.count)")
        for case .chunk(let chunk) in answers { #expect(chunk.start == 767 && !chunk.left.isEmpty) }
    }
}
