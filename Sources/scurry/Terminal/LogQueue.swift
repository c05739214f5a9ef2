import Dispatch
import Synchronization
import Transport

/// Writes the lines of a log on a thread of its own: a stream that takes nothing, as a stopped terminal (Ctrl-S) or a
/// full pipe, holds up that thread, and nobody who appends.
///
/// Each append is written as soon as the stream takes it, by one call. A stream whose reader has gone loses what is
/// written to it, and nothing tells of that.
final class LogQueue: Sendable {
    enum Ending: Equatable, Sendable {
        /// All was given to the stream.
        case written
        /// The stream took too long; what it did not take by the end of the process is lost.
        case stalled
    }

    private let descriptor: Descriptor
    private let lossNotice: @Sendable (_ lines: Int) -> [UInt8]
    private let backlog: Mutex<LogBacklog>
    /// Serial, so that it has a thread beside those that Dispatch shares among its concurrent queues: one that is held
    /// up is missing to nobody.
    private let thread = DispatchQueue(label: "scurry.log")
    /// Entered while something waits or is being written.
    private let writing = DispatchGroup()

    /// Nothing is started before the first line.
    ///
    /// - Parameters:
    ///   - descriptor: the stream, which stays open as long as the queue.
    ///   - limitBytes: bytes that wait at most; what does not fit is dropped.
    ///   - lossNotice: the line that says how many lines were dropped, with its line end; called on the thread.
    init(
        _ descriptor: Descriptor,
        limitBytes: Int = TransportLimits.waitingLogBytes,
        lossNotice: @escaping @Sendable (_ lines: Int) -> [UInt8]
    ) {
        self.descriptor = descriptor
        self.lossNotice = lossNotice
        backlog = Mutex(LogBacklog(limitBytes: limitBytes))
    }

    /// Queues whole lines, which come out after those appended before; never waits for the stream.
    func append(_ lines: [UInt8]) {
        backlog.withLock { backlog in
            guard case .writerWanted = backlog.append(lines) else { return }
            // Under the lock: whoever else appends now finds the group entered when it calls `finish`.
            thread.async(group: writing) { self.write() }
        }
    }

    /// Waits until all that was appended is written, but no longer than a time.
    ///
    /// - Parameter milliseconds: the time; the wall clock does not matter to it.
    /// - Returns: `stalled` when that was over.
    @discardableResult
    func finish(milliseconds: Int = TransportLimits.lastLogMilliseconds) -> Ending {
        writing.wait(timeout: .now() + .milliseconds(milliseconds)) == .success ? .written : .stalled
    }

    private func write() {
        while true {
            switch backlog.withLock({ $0.next() }) {
            // A failure is ignored: there is no stream left to report it on.
            case .write(let pieces): for piece in pieces { _ = descriptor.write(piece) }
            case .tellLoss(let lines): _ = descriptor.write(lossNotice(lines))
            case .rest: return
            }
        }
    }
}
