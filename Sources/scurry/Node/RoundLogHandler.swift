import Logging
import Synchronization
import Transport

/// Writes what the node of one round logs as the messages of a command: without a time. What it says of a listed peer
/// is held back, since the command may say that itself at the end.
struct RoundLogHandler: LogHandler {
    /// A queued one: events are logged on the thread that serves the peers.
    let console: Console
    /// The addresses of the listed peers, as the log writes them.
    let listed: [String]
    let held: HeldLines
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let text = "\(event.message)"
        var line = StyledLine("scurry: ")
        switch event.level {
        case .warning: line.add("warning: ", .bold)
        case .error, .critical: line.add("error: ", .alarm)
        case .trace, .debug, .info, .notice: line.add("note: ")
        }
        line.add(SafeText(line: text))
        if Self.isSaidAtTheEnd(text, of: listed) {
            held.append(HeldLines.Line(text: text, isError: event.level >= .error, drawn: line))
        } else {
            console.say([line])
        }
    }

    /// Whether a line is about a call to a listed peer: it begins with the address, or with `cannot reach` and that.
    ///
    /// Such a line also names the next attempt, or how long the peer is left alone: a round has no later.
    static func isSaidAtTheEnd(_ text: String, of listed: [String]) -> Bool {
        // That one has no other reason in the list.
        if text.hasSuffix(" is this node itself") { return false }
        let isUnreached = text.hasPrefix(unreached)
        let rest = isUnreached ? text.dropFirst(unreached.count) : text[...]
        return listed.contains { rest.hasPrefix($0 + (isUnreached ? ":" : " ")) }
    }

    private static let unreached = "cannot reach "
}

/// The lines about calls to listed peers, until it is known which of them the command says itself.
final class HeldLines: Sendable {
    struct Line: Sendable {
        let text: String
        let isError: Bool
        let drawn: StyledLine
    }

    private let lines = Mutex<[Line]>([])

    func append(_ line: Line) { lines.withLock { $0.append(line) } }

    /// The lines that a list of peers leaves out; all, if there is no list.
    ///
    /// - Parameter rows: the peers that are told with the reason why they are not in step.
    /// - Returns: the lines, in the order in which they were logged.
    func unsaid(beside rows: [PeerRow]) -> [StyledLine] {
        let told = rows.compactMap(\.address)
        // The only error about a call: another node answers.
        let impostors = rows.filter { $0.target?.impostor != nil }.compactMap(\.address)
        return lines.withLock { $0 }
            .filter { !RoundLogHandler.isSaidAtTheEnd($0.text, of: $0.isError ? impostors : told) }
            .map(\.drawn)
    }
}
