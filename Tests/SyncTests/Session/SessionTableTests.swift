import Testing
import TestSupport

@testable import Sync

@Suite struct SessionTableTests {
    private static let one = SessionID(raw: 1)
    private static let other = SessionID(raw: 2)

    private static func filled() -> SessionTable<[Int]> {
        var table = SessionTable<[Int]>()
        table[one] = [1]
        table[other] = [2]
        return table
    }

    @Test func `What is read is not noted and what is changed is`() {
        var table = Self.filled()
        table.forgetChanges()
        #expect(table[Self.one]?.count == 1)
        #expect(!table.isChanged(Self.one) && !table.isChanged(Self.other))
        table[Self.one]?.append(3)
        #expect(table[Self.one] == [1, 3])
        #expect(table.isChanged(Self.one) && !table.isChanged(Self.other))
    }

    @Test func `What is new is noted`() {
        let table = Self.filled()
        #expect(table.isChanged(Self.one) && table.isChanged(Self.other))
        #expect(table.count == 2)
    }

    @Test func `Changing what is not there does nothing`() {
        var table = SessionTable<[Int]>()
        table[Self.one]?.append(1)
        #expect(table[Self.one] == nil)
        #expect(table.isEmpty && !table.isChanged(Self.one))
    }

    @Test func `The place of one that is gone is anothers`() {
        var table = Self.filled()
        #expect(table.removeValue(forKey: Self.one) == [1])
        #expect(table.removeValue(forKey: Self.one) == nil)
        table[SessionID(raw: 3)] = [3]
        #expect(table[Self.one] == nil)
        #expect(table[Self.other] == [2])
        #expect(table[SessionID(raw: 3)] == [3])
        #expect(Set(table.values) == [[2], [3]])
        table[Self.other] = nil
        #expect(table.count == 1 && table[Self.other] == nil)
    }

    @Test func `It holds and notes what a dictionary and a set would`() {
        var random = SeededRandom.announced()
        var table = SessionTable<[Int]>()
        var values: [SessionID: [Int]] = [:]
        var changed: Set<SessionID> = []
        let sessions = (1...9).map { SessionID(raw: $0) }
        for step in 0..<1_000 {
            let session = random.pick(sessions)
            switch random.below(5) {
            case 0:
                table[session] = [step]
                values[session] = [step]
                changed.insert(session)
            case 1:
                table[session]?.append(step)
                if values[session] != nil { changed.insert(session) }
                values[session]?.append(step)
            case 2: #expect(table.removeValue(forKey: session) == values.removeValue(forKey: session))
            case 3:
                table[session] = nil
                if values.removeValue(forKey: session) != nil { changed.insert(session) }
            default:
                table.forgetChanges()
                changed = []
            }
            #expect(sessions.allSatisfy { table[$0] == values[$0] && table.contains($0) == (values[$0] != nil) })
            #expect(sessions.allSatisfy { table.isChanged($0) == changed.contains($0) })
            #expect(table.count == values.count && table.isEmpty == values.isEmpty)
            #expect(Set(table.values) == Set(values.values))
        }
    }

    @Test func `A copy keeps what it has`() {
        let table = Self.filled()
        var copy = table
        copy[Self.one]?.append(3)
        #expect(table[Self.one] == [1])
        #expect(copy[Self.one] == [1, 3])
    }
}
