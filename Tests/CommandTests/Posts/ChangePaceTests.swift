import Testing

@testable import scurry

struct ChangePaceTests {
    /// The moments of looks at polls from 5 s to 10 s.
    private func looks(changes: ClosedRange<UInt64>) -> [UInt64] {
        var pace = ChangePace()
        var looks: [UInt64] = []
        for now in stride(from: UInt64(5_000), through: 10_000, by: 100) {
            if changes.contains(now) { pace.noteChange() }
            if pace.takesLook(now: now) { looks.append(now) }
        }
        return looks
    }

    @Test func `A change alone is looked at once, and at once`() {
        #expect(looks(changes: 5_700...5_700) == [5_700])
        #expect(looks(changes: 20_000...20_000).isEmpty)
    }

    @Test func `Changes at every poll are looked at once a second, and the last one still is`() {
        #expect(looks(changes: 5_000...7_200) == [5_000, 6_000, 7_000, 8_000])
    }
}
