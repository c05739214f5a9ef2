import Testing

@testable import Sync

struct QuotasTests {
    @Test func `A first synchronisation is not slowed`() {
        var quotas = Quotas()
        quotas.charge(1, bytes: Int(Limits.quotaBurstBytes), now: 0)
        #expect(quotas.delay(1, now: 0) == nil)
    }

    @Test func `A flood is delayed and never refused`() throws {
        var quotas = Quotas()
        quotas.charge(1, bytes: Int(Limits.quotaBurstBytes) + 65_536, now: 0)
        let due = try #require(quotas.delay(1, now: 0))
        #expect(due == 1_001)
        #expect(quotas.delay(1, now: due) == nil)
        #expect(quotas.delay(2, now: 0) == nil, "others are not delayed")
    }

    @Test func `The largest debt is paid within a day`() throws {
        var quotas = Quotas()
        // A log of 90 million entries, counted anew.
        quotas.charge(1, bytes: 90_000_000 * 64, now: 0)
        let day = UInt64(Limits.retryMaximumMilliseconds)
        #expect(try #require(quotas.delay(1, now: 0)) <= day + 1)
        #expect(quotas.delay(1, now: day + 1) == nil)
        #expect(quotas.delay(1, now: 30 * day) == nil)
    }

    @Test func `Buckets that are full are forgotten`() {
        var quotas = Quotas()
        for owner in 0..<UInt64(20_000) { quotas.charge(owner, bytes: 300, now: owner * 10) }
        #expect(quotas.count < 5_000)
    }
}
