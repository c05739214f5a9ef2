import Testing

@testable import Transport

struct ArrivalRateTests {
    @Test func `So many come at once, and then so many a second`() {
        var rate = ArrivalRate(ArrivalRate.Bound(atOnce: 3, perSecond: 10), now: 0)
        #expect(rate.came(2, now: 0) == 0)
        #expect(rate.came(1, now: 0) == 100)
        #expect(rate.came(1, now: 100) == 100)
        // What was not used does not add up beyond what may come at once.
        #expect(rate.came(0, now: 100_000) == 0)
        #expect(rate.came(3, now: 100_000) == 100)
        // More than were due, in one go: the next waits for all of them.
        #expect(rate.came(4, now: 100_100) == 400)
    }

    @Test func `What was closed at once costs an eighth`() {
        var rate = ArrivalRate(ArrivalRate.Bound(atOnce: 3, perSecond: 10), now: 0)
        #expect(rate.came(1, refused: 8, now: 0) == 0)
        #expect(rate.came(0, refused: 8, now: 0) == 100)
    }
}
