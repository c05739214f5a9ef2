import Testing

@testable import Sync

struct MilestonesTests {
    @Test func `A number is reached once nothing before it is outstanding`() {
        var milestones = Milestones()
        let first = milestones.current
        milestones.add()
        milestones.add()
        _ = milestones.close(at: 5)
        let second = milestones.current
        milestones.add()
        _ = milestones.close(at: 9)
        #expect(milestones.reached == nil)
        milestones.settle(second)
        #expect(milestones.reached == nil)
        milestones.settle(first)
        #expect(milestones.reached == nil)
        milestones.settle(first)
        #expect(milestones.reached == 9)
    }

    @Test func `A number that goes back is refused`() {
        var milestones = Milestones()
        let answers = [5, 5, 4].map { milestones.close(at: $0) }
        #expect(answers == [true, true, false])
        #expect(milestones.reached == 5)
    }

    @Test func `Many open announcements cost little each`() {
        var milestones = Milestones()
        var epochs: [Milestones.Epoch] = []
        for number in 1...UInt64(20_000) {
            epochs.append(milestones.current)
            milestones.add()
            _ = milestones.close(at: number)
        }
        for epoch in epochs.dropFirst() { milestones.settle(epoch) }
        #expect(milestones.reached == nil)
        milestones.settle(epochs[0])
        #expect(milestones.reached == 20_000)
    }

    @Test func `What was dropped holds the cursor`() {
        var milestones = Milestones()
        _ = milestones.close(at: 5)
        milestones.breakOff()
        _ = milestones.close(at: 9)
        #expect(milestones.reached == nil)
    }

    @Test func `Announcements without end are counted together`() {
        var milestones = Milestones()
        let first = milestones.current
        milestones.add()
        for number in 1...UInt64(100_000) { _ = milestones.close(at: number) }
        #expect(milestones.current < 2_000)
        let late = milestones.current
        milestones.add()
        _ = milestones.close(at: 200_000)
        milestones.settle(first)
        #expect(milestones.reached ?? 0 < 200_000)
        milestones.settle(late)
        #expect(milestones.reached == 200_000)
        let fresh = milestones.current
        milestones.add()
        _ = milestones.close(at: 200_001)
        #expect(milestones.reached == 200_000)
        milestones.settle(fresh)
        #expect(milestones.reached == 200_001)
    }
}
