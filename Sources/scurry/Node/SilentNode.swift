import Transport

/// A node that runs and does not answer: what is known of it, and what helps.
struct SilentNode: Equatable, Sendable {
    /// Nil if it did not leave its process id.
    let process: Int32?
    let cause: Cause

    enum Cause: Equatable, Sendable {
        /// Nobody can say.
        case hanging
        /// It was stopped by a signal, as Ctrl-Z sends one.
        case suspended
        /// Nobody answers where its socket should be.
        case cut
    }

    /// As far as it is known of the process alone.
    init(_ process: Int32?) {
        self.process = process
        cause = process.map { SuspendedProcess.contains($0) } == true ? .suspended : .hanging
    }

    /// Of a node whose socket may be gone.
    init(_ process: Int32?, of client: ControlClient) {
        let node = SilentNode(process)
        self.process = process
        cause = node.cause == .hanging && client.isCut ? .cut : node.cause
    }

    /// `process 4711 runs, and does not answer`
    var state: SafeText {
        let which: SafeText = process.map { "process \($0) " } ?? ""
        return switch cause {
        case .hanging: "\(which)runs, and does not answer"
        case .suspended: "\(which)was suspended"
        case .cut: "\(which)runs, and cannot be asked: its socket was removed"
        }
    }

    /// The command that makes it answer, or ends it and starts another.
    var help: SafeText {
        switch cause {
        case .hanging: NodeGlance.ending(process)
        case .suspended: "\(process.map { "kill -CONT \($0)" } ?? "kill -CONT"), or fg in its terminal"
        case .cut: "scurry status, in a minute: it makes another; if not, \(NodeGlance.ending(process))"
        }
    }
}
