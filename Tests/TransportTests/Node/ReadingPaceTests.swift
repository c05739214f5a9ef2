import Sync
import Testing

@testable import Transport

/// Who talks without end is read more slowly while others are there (`ReadingPace`).
struct ReadingPaceTests {
    private let talker = SessionID(raw: 1)
    private let friend = SessionID(raw: 2)

    @Test func whoIsAloneIsReadAsFastAsItGoes() {
        var pace = ReadingPace()
        for moment in 0..<UInt64(100) {
            #expect(pace.spend(10_000, on: talker, at: moment * 10_000) == 0)
        }
    }

    @Test func whoTalksWithoutEndHasItsShareWhileSomebodyElseIsThere() {
        var pace = ReadingPace()
        var now: UInt64 = 0
        var read: UInt64 = 0
        while now < 10_000_000 {
            _ = pace.spend(10, on: friend, at: now)
            read += 1_000
            now += 1_000 + pace.spend(1_000, on: talker, at: now)
        }
        #expect(read <= now / ReadingPace.shareDivisor + ReadingPace.burst + 1_000)
        #expect(read >= now / ReadingPace.shareDivisor - 1_000)
        #expect(pace.spend(10, on: friend, at: now) == 0)
    }

    @Test func thePersonHereIsSomebodyElse() {
        var pace = ReadingPace()
        pace.noteOwn(at: 0)
        #expect(pace.spend(2 * ReadingPace.burst, on: talker, at: 0) == ReadingPace.burst * ReadingPace.shareDivisor)
        #expect(pace.spend(0, on: talker, at: ReadingPace.lively) == 0)
    }

    @Test func `What was taken while nobody waited is owed to nobody`() {
        var pace = ReadingPace()
        var now: UInt64 = 0
        for _ in 0..<100 {
            _ = pace.spend(50_000, on: talker, at: now)
            now += 50_000
        }
        pace.noteOwn(at: now)
        #expect(pace.spend(10_000, on: talker, at: now) <= 10_000 * ReadingPace.shareDivisor)
    }

    @Test func `Whoever else was heard last is somebody else too`() {
        var pace = ReadingPace()
        _ = pace.spend(10, on: friend, at: 0)
        #expect(pace.isShared(at: 1_000_000, besides: talker))
        #expect(!pace.isShared(at: 1_000_000, besides: friend))
        #expect(!pace.isShared(at: ReadingPace.lively, besides: talker))
    }

    @Test func aDebtIsPaidByTimeAndGoesWithItsConnection() {
        var pace = ReadingPace()
        pace.noteOwn(at: 0)
        let pause = pace.spend(3 * ReadingPace.burst, on: talker, at: 0)
        #expect(pause == 2 * ReadingPace.burst * ReadingPace.shareDivisor)
        #expect(pace.spend(0, on: talker, at: pause) == 0)
        #expect(pace.spend(1_000, on: talker, at: pause) == 3_000)
        pace.forget(talker)
        #expect(pace.spend(1_000, on: talker, at: pause) == 0)
    }
}
