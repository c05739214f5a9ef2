import Logging

/// Writes the node's log on standard error, one line for each event, with its time.
struct NodeLogHandler: LogHandler {
    let console: Console
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = StyledLine(console.clock.short(console.now) + " ", .dim)
        switch event.level {
        case .warning: line.add("warning: ", .bold)
        case .error, .critical: line.add("error: ", .alarm)
        case .trace, .debug, .info, .notice: break
        }
        line.add(SafeText(line: "\(event.message)"))
        console.say([line])
    }
}
