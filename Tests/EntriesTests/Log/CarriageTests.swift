import Entries
import Sodium
import TestSupport
import Testing

@Suite struct CarriageTests {
    private func candidate(_ serial: UInt64, _ log: UInt8 = 0, _ end: Carriage.Candidate.End = .open)
        -> Carriage.Candidate
    {
        let bytes = [log] + [UInt8](repeating: UInt8(serial & 0xFF), count: 31)
        return .init(serial: serial, log: LogID(raw: Bytes32(bytes) ?? .zero), end: end)
    }

    @Test func `The first sixteen are carried, in whatever order they came`() {
        var random = SeededRandom.announced()
        for _ in 0..<200 {
            let all = (0..<UInt64(10 + random.next() % 20)).map { candidate($0 / 2, UInt8($0 % 2)) }
            var carriage = Carriage()
            var forgotten: Set<LogID> = []
            for one in all.shuffled(using: &random) { forgotten.formUnion(carriage.insert(one)) }
            #expect(carriage.carried == Array(all.prefix(16)))
            #expect(forgotten == Set(all.dropFirst(16).map(\.log)))
        }
    }

    @Test func `Of equal serials the smaller log id comes first`() {
        var carriage = Carriage()
        for log in 1...16 { #expect(carriage.insert(candidate(7, UInt8(log))).isEmpty) }
        #expect(carriage.admits(candidate(7, 0)) && !carriage.admits(candidate(7, 17)))
        #expect(carriage.insert(candidate(7, 17)) == [candidate(7, 17).log])
        #expect(carriage.insert(candidate(7, 0)) == [candidate(7, 16).log])
    }

    @Test func `Settled logs take no place, and those after the sixteenth are not carried`() {
        var carriage = Carriage()
        for serial in 1...16 { _ = carriage.insert(candidate(UInt64(serial))) }
        #expect(!carriage.admits(candidate(17, 0, .settled)))
        #expect(carriage.insert(candidate(0, 0, .settled)).isEmpty)
        #expect(carriage.carried.count == 17)
        // A log that is settled later makes room for one more.
        #expect(carriage.insert(candidate(5, 0, .settled)).isEmpty)
        #expect(carriage.insert(candidate(18)).isEmpty)
        #expect(carriage.insert(candidate(19)) == [candidate(19).log])
        #expect(carriage.carried.count == 18)
    }

    /// As the page has it, word by word.
    private func ranked(_ all: some Sequence<Carriage.Candidate>) -> [Carriage.Candidate] {
        var open = 0
        return all.sorted().filter { candidate in
            defer { if candidate.end == .open { open += 1 } }
            return open < Carriage.unsettledLogs
        }
    }

    @Test func `Whatever comes and is settled in whatever order, the same are carried as of all at once`() {
        var random = SeededRandom.announced()
        for _ in 0..<200 {
            var known: [LogID: Carriage.Candidate] = [:]
            var carriage = Carriage()
            for _ in 0..<80 {
                let end: Carriage.Candidate.End = random.next() % 3 == 0 ? .settled : .open
                let one = candidate(random.next() % 30, UInt8(random.next() % 3), end)
                // What is settled stays so.
                if end == .open, known[one.log]?.end == .settled { continue }
                let isAdmitted = carriage.admits(one)
                let before = Set(carriage.carried.map(\.log)).union([one.log])
                let gone = carriage.insert(one)
                #expect(isAdmitted != gone.contains(one.log))
                #expect(Set(gone) == before.subtracting(carriage.carried.map(\.log)))
                known[one.log] = one
                for log in gone { known[log] = nil }
                #expect(carriage.carried == ranked(known.values))
                #expect(carriage == Carriage(known.values))
            }
        }
    }

    @Test func `The same log again changes nothing`() {
        var carriage = Carriage()
        for serial in 1...16 { _ = carriage.insert(candidate(UInt64(serial))) }
        let before = carriage
        #expect(carriage.insert(candidate(3)).isEmpty)
        #expect(carriage == before)
    }
}
