import Transport

/// The progress of a long operation: one line on standard error that is overwritten, shown on a terminal only.
struct ProgressLine {
    private let console: Console
    private var shownAt: UInt64
    private var isShown = false

    /// Interval of updates: often enough to move, seldom enough to read; a shorter operation shows nothing.
    private static let everyMilliseconds: UInt64 = 200

    init(_ console: Console) {
        self.console = console
        shownAt = SystemClock.monotonicMilliseconds
    }

    mutating func show(_ text: SafeText) {
        guard console.err.stream.isTerminal, console.environment["TERM"] != "dumb" else { return }
        let now = SystemClock.monotonicMilliseconds
        guard now >= shownAt + Self.everyMilliseconds else { return }
        shownAt = now
        isShown = true
        write("\r\(StyledLine(text).text(console.err.look))\u{1B}[K")
    }

    /// Removes the line.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    private func write(_ text: String) {
        _ = Descriptor.standardError.write(Array(text.utf8))
    }
}
