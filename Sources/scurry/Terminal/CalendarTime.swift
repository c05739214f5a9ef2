#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A date and a time of day in some time zone.
struct CalendarTime: Equatable, Sendable {
    var year: Int
    /// 1…12.
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0

    /// False for a 31st of February or a 25th hour; a leap second is taken.
    var exists: Bool {
        guard (1970...9999).contains(year), (1...12).contains(month) else { return false }
        return (1...CalendarTime.days(in: month, of: year)).contains(day)
            && (0...23).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// A time zone: the one file that asks libc for it.
enum TimeZone: Equatable, Sendable {
    /// The zone of the process, from `TZ` or the machine: `localtime_r(3)`, `mktime(3)`.
    case local
    /// A fixed offset in seconds east of Greenwich: `gmtime_r(3)`, `timegm(3)`.
    case offset(seconds: Int)

    static let utc = TimeZone.offset(seconds: 0)

    /// The date and time at a moment; nil if libc cannot represent it: a year beyond 32 bits.
    func calendar(atUnixSeconds seconds: Int64) -> CalendarTime? {
        var parts = tm()
        switch self {
        case .local:
            tzset()
            var time = time_t(seconds)
            guard localtime_r(&time, &parts) != nil else { return nil }
        case .offset(let offset):
            var time = time_t(seconds.addingReportingOverflow(Int64(offset)).partialValue)
            guard gmtime_r(&time, &parts) != nil else { return nil }
        }
        return CalendarTime(
            year: Int(parts.tm_year) + 1900,
            month: Int(parts.tm_mon) + 1,
            day: Int(parts.tm_mday),
            hour: Int(parts.tm_hour),
            minute: Int(parts.tm_min),
            second: Int(parts.tm_sec)
        )
    }

    /// Unix seconds of a time that exists; an hour left out by summer time is read as the one after it.
    func unixSeconds(of time: CalendarTime) -> Int64 {
        var parts = tm()
        parts.tm_year = Int32(clamping: time.year - 1900)
        parts.tm_mon = Int32(clamping: time.month - 1)
        parts.tm_mday = Int32(clamping: time.day)
        parts.tm_hour = Int32(clamping: time.hour)
        parts.tm_min = Int32(clamping: time.minute)
        parts.tm_sec = Int32(clamping: time.second)
        parts.tm_isdst = -1
        switch self {
        case .local: return Int64(mktime(&parts))
        case .offset(let offset): return Int64(timegm(&parts)) - Int64(offset)
        }
    }
}
