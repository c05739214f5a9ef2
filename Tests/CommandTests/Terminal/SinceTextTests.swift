import Testing

@testable import scurry

struct SinceTextTests {
    /// 20 November 2026, 14:30:00 UTC.
    private let now: UInt64 = 1_795_185_000_000

    @Test(arguments: [
        ("90s", "2026-11-20T14:28:30.000Z"), ("10m", "2026-11-20T14:20:00.000Z"), ("2h", "2026-11-20T12:30:00.000Z"),
        ("-90s", "2026-11-20T14:28:30.000Z"), ("-2h", "2026-11-20T12:30:00.000Z"),
        ("3d", "2026-11-17T14:30:00.000Z"), ("1w", "2026-11-13T14:30:00.000Z"), ("today", "2026-11-20T00:00:00.000Z"),
        ("Yesterday", "2026-11-19T00:00:00.000Z"), ("2026-11-20", "2026-11-20T00:00:00.000Z"),
        ("2026-11-20T10:00", "2026-11-20T10:00:00.000Z"), ("2026-11-20 10:00:05", "2026-11-20T10:00:05.000Z"),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.000Z"), ("2026-11-20T10:00:00.25Z", "2026-11-20T10:00:00.250Z"),
        ("2026-11-20T10:00:00.1239+02:00", "2026-11-20T08:00:00.123Z"), ("2024-02-29", "2024-02-29T00:00:00.000Z"),
        ("2026-11-20T10:00-08:00", "2026-11-20T18:00:00.000Z"), ("99999999999999999999d", "1970-01-01T00:00:00.000Z"),
        ("18446744073709551615w", "1970-01-01T00:00:00.000Z"),
    ])
    func `Each form names a time`(typed: String, time: String) {
        let milliseconds = SinceText.milliseconds(typed, now: now, zone: .utc)
        #expect(milliseconds.map(TimeText.rfc3339) == time)
    }

    @Test(arguments: [
        "", "s", "-", "h2", "-h", "--2h", "-today", "-2026-11-20",
        "2 h", "2.5h", "２h", "2026", "2026-11", "2026-13-01", "2026-02-29", "2026-11-31",
        "2026-1-1",
        "2026-11-20T", "2026-11-20T25:00", "2026-11-20T10:60", "2026-11-20T10:00:00.", "2026-11-20T10:00:00Zx",
        "2026-11-20T10:00:00+25:00", "2026-11-20T10:00+0100", "tomorrow", "0000-00-00", "1969-12-31",
    ])
    func `Anything else is refused`(typed: String) {
        #expect(SinceText.milliseconds(typed, now: now, zone: .utc) == nil)
    }

    @Test func `Days begin at midnight in the zone given`() {
        let zone = TimeZone.offset(seconds: -8 * 3600)
        #expect(
            SinceText.milliseconds("today", now: now, zone: zone).map(TimeText.rfc3339) == "2026-11-20T08:00:00.000Z"
        )
        let day = SinceText.milliseconds("2026-11-20", now: now, zone: zone)
        #expect(day.map(TimeText.rfc3339) == "2026-11-20T08:00:00.000Z")
    }

    @Test func `No clock is too far ahead to count back from`() {
        #expect(SinceText.milliseconds("2h", now: .max, zone: .utc) == UInt64.max - 7_200_000)
        _ = SinceText.milliseconds("yesterday", now: .max, zone: .local)
        #expect(SinceText.milliseconds("today", now: 1 << 62, zone: .utc) ?? 0 > 1 << 61)
        _ = SinceText.milliseconds("yesterday", now: 0, zone: .offset(seconds: 3600))
    }
}
