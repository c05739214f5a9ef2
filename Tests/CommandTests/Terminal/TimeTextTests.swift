import Testing

@testable import scurry

struct TimeTextTests {
    /// 20 November 2026, 14:30:00 UTC.
    private let now: UInt64 = 1_795_185_000_000
    private let minute: UInt64 = 60_000

    @Test func `Today has no date, this year no year`() {
        let clock = TimeText(now: now, zone: .utc)
        #expect(clock.short(now - 28 * minute) == "14:02")
        #expect(clock.short(now - 24 * 60 * minute) == "19 Nov 14:30")
        #expect(clock.short(now - 400 * 24 * 60 * minute) == "16 Oct 2025 14:30")
        #expect(clock.short(0) == "1 Jan 1970 00:00")
    }

    @Test func `The zone decides what is today`() {
        let clock = TimeText(now: now, zone: .offset(seconds: 10 * 3600))
        #expect(clock.short(now) == "00:30")
        #expect(clock.short(now - 60 * minute) == "20 Nov 23:30")
    }

    @Test(arguments: [UInt64.max, 1 << 63, 1 << 53, 253_402_300_800_000])
    func `Beyond the year 9999 is the far future`(time: UInt64) {
        let clock = TimeText(now: now, zone: .utc)
        #expect(clock.short(time) == "far future")
        #expect(TimeText.rfc3339(time) == "9999-12-31T23:59:59.999Z")
        #expect(TimeText(now: time, zone: .local).short(now).string.contains("2026"))
        #expect(!clock.age(time).isEmpty && !TimeText(now: time, zone: .local).age(0).isEmpty)
    }

    @Test func `JSON has UTC and milliseconds`() {
        #expect(TimeText.rfc3339(now + 7) == "2026-11-20T14:30:00.007Z")
        #expect(TimeText.rfc3339(0) == "1970-01-01T00:00:00.000Z")
    }

    @Test(
        arguments: [
            (0, "now"), (999, "now"), (4000, "4 s ago"), (180_000, "3 min ago"), (7_200_000, "2 h ago"),
            (432_000_000, "5 d ago"), (31_536_000_000 * 3, "3 y ago"),
        ] as [(UInt64, SafeText)]
    )
    func `An age has one unit`(span: UInt64, text: SafeText) {
        #expect(TimeText(now: now, zone: .utc).age(now - span) == text)
    }

    @Test func `What is to come is said so`() {
        #expect(TimeText(now: now, zone: .utc).age(now + 4000) == "in 4 s")
    }

    @Test func `Local time goes to the calendar and back`() {
        for days in stride(from: Int64(0), to: 20_000, by: 37) {
            let seconds = days * 86_400 + 43_200
            guard let time = TimeZone.local.calendar(atUnixSeconds: seconds) else {
                Issue.record("no calendar for \(seconds)")
                continue
            }
            #expect(TimeZone.local.unixSeconds(of: time) == seconds)
        }
    }
}
