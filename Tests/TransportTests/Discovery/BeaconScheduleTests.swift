import Testing

@testable import Transport

struct BeaconScheduleTests {
    /// What is said until a moment, and when.
    private func said(_ schedule: inout BeaconSchedule, until end: UInt64) -> [(UInt64, Beacon.Kind)] {
        var said: [(UInt64, Beacon.Kind)] = []
        while schedule.next <= end {
            let now = schedule.next
            guard let kind = schedule.due(now: now) else {
                Issue.record("it wants to be woken at \(now) for nothing")
                break
            }
            said.append((now, kind))
        }
        return said
    }

    @Test func `It calls three times, and then says once a minute that it is there`() {
        var schedule = BeaconSchedule(now: 1_000)
        let words = said(&schedule, until: 130_000)
        #expect(words.map(\.0) == [1_000, 2_000, 5_000, 65_000, 125_000])
        #expect(words.map(\.1) == [.call, .call, .call, .answer, .answer])
        #expect(schedule.due(now: 125_001) == nil)
    }

    @Test func `It answers a call, after the wait`() {
        var schedule = BeaconSchedule(now: 0)
        _ = said(&schedule, until: 10_000)
        schedule.called(now: 10_000, delay: 200)
        #expect(schedule.due(now: 10_199) == nil)
        #expect(schedule.due(now: 10_200) == .answer)
        #expect(schedule.due(now: 10_201) == nil)
    }

    @Test func `However many call, it answers once a second`() {
        var schedule = BeaconSchedule(now: 0)
        _ = said(&schedule, until: 10_000)
        var answers = 0
        for now in UInt64(10_000)..<20_000 {
            schedule.called(now: now, delay: 0)
            while schedule.due(now: now) != nil { answers += 1 }
        }
        #expect(answers == 10)
    }

    @Test func `Its own call is the answer to another one`() {
        var schedule = BeaconSchedule(now: 0)
        _ = schedule.due(now: 0)
        schedule.called(now: 900, delay: 250)
        #expect(schedule.due(now: 1_000) == .call)
        #expect(schedule.due(now: 1_200) == nil)
    }
}
