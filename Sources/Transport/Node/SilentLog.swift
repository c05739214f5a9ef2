package import Logging

extension Logger {
    /// A logger that discards everything: for tests, and for commands that run a node of their own for a moment.
    package static var silent: Logger { Logger(label: "scurry", factory: { _ in SwiftLogNoOpLogHandler() }) }
}
