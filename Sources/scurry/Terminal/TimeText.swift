/// Formats Unix milliseconds for people and for JSON.
///
/// Any value up to 2⁶⁴ − 1 has a text: a time beyond the year 9999 is `far future`.
struct TimeText: Equatable, Sendable {
    /// Unix milliseconds.
    let now: UInt64
    let zone: TimeZone

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    init(now: UInt64, zone: TimeZone) {
        self.now = now
        self.zone = zone
    }

    /// `14:02` today, `20 Nov 14:02` this year, `20 Nov 2025 14:02` otherwise.
    func short(_ milliseconds: UInt64) -> SafeText {
        guard let time = calendar(milliseconds) else { return "far future" }
        let clock = SafeText(line: TimeText.digits(time.hour, 2) + ":" + TimeText.digits(time.minute, 2))
        guard let today = calendar(now) else { return dated(time, clock) }
        if (time.year, time.month, time.day) == (today.year, today.month, today.day) { return clock }
        let day = SafeText(line: "\(time.day) \(TimeText.name(ofMonth: time.month))")
        return time.year == today.year ? "\(day) \(clock)" : dated(time, clock)
    }

    /// `2026-11-20 14:02`, which sorts, for a log that is read on another day.
    func sortable(_ milliseconds: UInt64) -> SafeText {
        guard let time = calendar(milliseconds) else { return "far future" }
        let date = [TimeText.digits(time.year, 4), TimeText.digits(time.month, 2), TimeText.digits(time.day, 2)]
        let clock = [TimeText.digits(time.hour, 2), TimeText.digits(time.minute, 2)]
        return SafeText(line: date.joined(separator: "-") + " " + clock.joined(separator: ":"))
    }

    /// `now`, `4 s ago`, `3 min ago`, `2 h ago`, `5 d ago`, `2 y ago`; `in 4 s` before its time.
    func age(_ milliseconds: UInt64) -> SafeText {
        if milliseconds > now {
            let span = TimeText.span(milliseconds - now)
            return span.map { SafeText(line: "in " + $0) } ?? "now"
        }
        return TimeText.span(now - milliseconds).map { SafeText(line: $0 + " ago") } ?? "now"
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-20T22:02:05.120Z`; saturates at the end of the year 9999.
    static func rfc3339(_ milliseconds: UInt64) -> String {
        guard let time = TimeZone.utc.calendar(atUnixSeconds: Int64(milliseconds / 1000)), time.year <= 9999 else {
            return "9999-12-31T23:59:59.999Z"
        }
        let date = [digits(time.year, 4), digits(time.month, 2), digits(time.day, 2)].joined(separator: "-")
        let clock = [digits(time.hour, 2), digits(time.minute, 2), digits(time.second, 2)].joined(separator: ":")
        return date + "T" + clock + "." + digits(Int(milliseconds % 1000), 3) + "Z"
    }

    private func calendar(_ milliseconds: UInt64) -> CalendarTime? {
        zone.calendar(atUnixSeconds: Int64(milliseconds / 1000)).flatMap { $0.year <= 9999 ? $0 : nil }
    }

    private func dated(_ time: CalendarTime, _ clock: SafeText) -> SafeText {
        "\(time.day) \(TimeText.name(ofMonth: time.month)) \(time.year) \(clock)"
    }

    private static func name(ofMonth month: Int) -> String {
        months.indices.contains(month - 1) ? months[month - 1] : "?"
    }

    /// The span in its largest whole unit; nil below one second.
    private static func span(_ milliseconds: UInt64) -> String? {
        let seconds = milliseconds / 1000
        return switch seconds {
        case 0: nil
        case 1..<60: "\(seconds) s"
        case 60..<3600: "\(seconds / 60) min"
        case 3600..<86_400: "\(seconds / 3600) h"
        case 86_400..<(2 * 365 * 86_400): "\(seconds / 86_400) d"
        default: "\(seconds / (365 * 86_400)) y"
        }
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
