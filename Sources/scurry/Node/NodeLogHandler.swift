import Logging

/// Writes the node's log on standard error, one line for each event, with its time.
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
        var line = StyledLine(console.clock.short(console.now) + " ", .dim)
        switch level {
        case .warning: line.add("warning: ", .bold)
        case .error, .critical: line.add("error: ", .alarm)
        case .trace, .debug, .info, .notice: break
        }
        line.add(text)
        return line
    }
}
