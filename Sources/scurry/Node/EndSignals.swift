import Dispatch
import Synchronization
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Calls a closure at the first SIGINT, SIGTERM or SIGHUP that is not ignored from the start.
///
/// A second signal ends the process at once. The handler writes to a pipe: Dispatch's own signal sources may miss a
/// signal on Linux that comes while no thread has it blocked. Where there is no pipe, as with too many open files, the
/// first signal ends the process.
final class EndSignals: Sendable {
    /// One for all, never closed: a handler that still runs may write to it. Nil: there was none to be had.
    static let pipe = try? OpenPipe()
    /// Its write end; set before the handler is installed.
    private nonisolated(unsafe) static var writingEnd: Int32 = -1

    /// The signals that are handled: none without a pipe.
    private let numbers: [Int32]
    private let first: Noted
    // A source may be cancelled from any thread, which its protocol does not declare.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    /// The first signal received; nil: none.
    var received: Int32? { first.value }

    init(_ body: @escaping @Sendable () -> Void) {
        let first = Noted()
        self.first = first
        guard let pipe = EndSignals.pipe else {
            numbers = []
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: .global())
        source.setEventHandler {
            var byte: UInt8 = 0
            if read(pipe.reading, &byte, 1) == 1 { first.note(Int32(byte)) }
            body()
        }
        source.resume()
        numbers = [SIGINT, SIGTERM, SIGHUP].filter { !InheritedSignal.isIgnored($0) }
        self.source = source
        EndSignals.writingEnd = pipe.writing
        for number in numbers {
            // Only async-signal-safe calls: `signal` and `write`. What was interrupted may look at `errno`.
            signal(number) { number in
                let code = errno
                signal(number, SIG_DFL)
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(EndSignals.writingEnd, &byte, 1)
                errno = code
            }
        }
    }

    /// Restores the default handling of the signals.
    func end() {
        for number in numbers { signal(number, SIG_DFL) }
        source?.cancel()
    }

    private final class Noted: Sendable {
        private let number = Mutex<Int32?>(nil)
        var value: Int32? { number.withLock { $0 } }
        func note(_ signal: Int32) { number.withLock { $0 = $0 ?? signal } }
    }
}
