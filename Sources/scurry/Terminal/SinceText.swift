/// Parses the argument of `--since`.
///
/// `90s`, `10m`, `2h`, `3d`, `2w` back from now, and the same with a minus before it, as journalctl takes it; `today`
/// and `yesterday` from midnight; `2026-11-20`, `2026-11-20T10:00` and `2026-11-20T10:00:30` in the time zone given;
/// RFC 3339 with its own offset.
enum SinceText {
    /// The forms, for a usage message.
    static let forms: SafeText = "2h, yesterday, 2026-11-20 or 2026-11-20T10:00"

    /// Unix milliseconds, not below 0; nil if the text has none of the forms or names a day that does not exist.
    static func milliseconds(_ text: String, now: UInt64, zone: TimeZone) -> UInt64? {
        let word = text.lowercased()
        switch word {
        case "today": return midnight(now: now, zone: zone, daysBack: 0)
        case "yesterday": return midnight(now: now, zone: zone, daysBack: 1)
        default: return span(word).map { now > $0 ? now - $0 : 0 } ?? date(word, zone: zone)
        }
    }

    private static func midnight(now: UInt64, zone: TimeZone, daysBack: Int) -> UInt64? {
        guard let today = zone.calendar(atUnixSeconds: Int64(now / 1000)) else { return nil }
        let midnight = zone.unixSeconds(of: CalendarTime(year: today.year, month: today.month, day: today.day))
        if daysBack == 0 { return milliseconds(midnight) }
        // Half a day before midnight is the day before, also when that day has 23 or 25 hours.
        guard let before = zone.calendar(atUnixSeconds: midnight - 43_200) else { return nil }
        return milliseconds(
            zone.unixSeconds(of: CalendarTime(year: before.year, month: before.month, day: before.day))
        )
    }

    /// Milliseconds of `2h` or `-2h`; saturates.
    private static func span(_ word: String) -> UInt64? {
        let secondsOfUnit: [Character: UInt64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let unit = word.last.flatMap({ secondsOfUnit[$0] }) else { return nil }
        let digits = word.dropFirst(word.hasPrefix("-") ? 1 : 0).dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(isDigit) else { return nil }
        guard let count = UInt64(digits) else { return .max }
        let (span, overflow) = count.multipliedReportingOverflow(by: unit * 1000)
        return overflow ? .max : span
    }

    private static func date(_ word: String, zone: TimeZone) -> UInt64? {
        var input = Substring(word)
        guard let year = number(&input, 4), skip(&input, "-"), let month = number(&input, 2), skip(&input, "-"),
            let day = number(&input, 2)
        else { return nil }
        var time = CalendarTime(year: year, month: month, day: day)
        if input.isEmpty { return time.exists ? milliseconds(zone.unixSeconds(of: time)) : nil }
        guard skip(&input, "t") || skip(&input, " "), let hour = number(&input, 2), skip(&input, ":"),
            let minute = number(&input, 2)
        else { return nil }
        time.hour = hour
        time.minute = minute
        var fraction: UInt64 = 0
        if skip(&input, ":") {
            guard let second = number(&input, 2) else { return nil }
            time.second = second
            if skip(&input, ".") {
                guard let parsed = thousandths(&input) else { return nil }
                fraction = parsed
            }
        }
        guard time.exists, let zone = input.isEmpty ? zone : offset(&input) else { return nil }
        return milliseconds(zone.unixSeconds(of: time)) + fraction
    }

    /// `z`, `+01:00` or `-08:00`, and nothing after it.
    private static func offset(_ input: inout Substring) -> TimeZone? {
        if skip(&input, "z") { return input.isEmpty ? .utc : nil }
        let sign = skip(&input, "+") ? 1 : skip(&input, "-") ? -1 : 0
        guard sign != 0, let hours = number(&input, 2), skip(&input, ":"), let minutes = number(&input, 2),
            hours < 24, minutes < 60, input.isEmpty
        else { return nil }
        return .offset(seconds: sign * (hours * 3600 + minutes * 60))
    }

    /// Digits after the point; those beyond the third are dropped.
    private static func thousandths(_ input: inout Substring) -> UInt64? {
        let digits = input.utf8.prefix(while: isDigit)
        guard !digits.isEmpty else { return nil }
        input = input.dropFirst(digits.count)
        return digits.prefix(3).reduce(0) { $0 * 10 + UInt64($1 - 0x30) } * [1, 100, 10, 1][min(3, digits.count)]
    }

    private static func number(_ input: inout Substring, _ count: Int) -> Int? {
        let digits = input.utf8.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        input = input.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func skip(_ input: inout Substring, _ character: Character) -> Bool {
        guard input.first == character else { return false }
        input = input.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39
    }

    /// Not below 0; saturates.
    private static func milliseconds(_ seconds: Int64) -> UInt64 {
        let (milliseconds, overflow) = UInt64(max(0, seconds)).multipliedReportingOverflow(by: 1000)
        return overflow ? .max : milliseconds
    }
}
