#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Logging
import Transport

/// Writes the node's log on standard error, one line for each event, with its time, and with its day
/// where the reader may not know that.
struct NodeLogHandler: LogHandler {
    /// A queued one: events are logged on the thread that serves the peers.
    let console: Console
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        console.say([Self.line(SafeText(line: "\(event.message)"), at: event.level, on: console)])
    }

    /// The line that stands in place of lines that were dropped.
    static func loss(of lines: Int, on console: Console) -> StyledLine {
        let lost = Amount.of(lines, "line of the log was", "lines of the log were")
        return line("\(lost) lost: nobody took them", at: .warning, on: console)
    }

    private static func line(_ text: SafeText, at level: Logger.Level, on console: Console) -> StyledLine {
        var line = StyledLine(time(on: console) + " ", .dim)
        switch level {
        case .warning: line.add("warning: ", .bold)
        case .error, .critical: line.add("error: ", .alarm)
        case .trace, .debug, .info, .notice: break
        }
        line.add(text)
        return line
    }

    // MARK: Times

    /// Where the log goes: who reads it, and when.
    enum Place: Equatable, Sendable {
        /// It shows the day on which the node started, or the reader saw it start.
        case terminal
        /// It dates each line.
        case journal
        /// A file, perhaps behind a pipe: read on any other day, and by `grep`.
        case file
    }

    /// When this process asked for the time of a line first: when its node started.
    private static let started = SystemClock.wallMilliseconds

    /// The time in front of a line that is written now.
    static func time(on console: Console) -> SafeText {
        time(console.now, since: started, zone: .local, in: place(of: console))
    }

    /// The time in front of a line: `14:02`; on a terminal from the second day on `21 Nov 14:02`, in a file
    /// `2026-11-21 14:02`.
    ///
    /// - Parameters:
    ///   - now: Unix milliseconds.
    ///   - started: when the node started, Unix milliseconds.
    ///   - zone: of the reader.
    ///   - place: where the line goes.
    /// - Returns: the time, and what is not known of the day.
    static func time(_ now: UInt64, since started: UInt64, zone: TimeZone, in place: Place) -> SafeText {
        switch place {
        case .terminal: TimeText(now: started, zone: zone).short(now)
        case .journal: TimeText(now: now, zone: zone).short(now)
        case .file: TimeText(now: now, zone: zone).sortable(now)
        }
    }

    private static func place(of console: Console) -> Place {
        if console.err.stream.isTerminal { return .terminal }
        var status = stat()
        // The variable is inherited by programs that write elsewhere, so it names the stream (`systemd.exec(5)`).
        guard let stream = console.environment["JOURNAL_STREAM"],
            fstat(Descriptor.standardError.number, &status) == 0
        else { return .file }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .file
    }
}
