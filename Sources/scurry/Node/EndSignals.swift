import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Calls a closure at the first SIGINT, SIGTERM or SIGHUP that is not ignored from the start.
///
/// A second signal ends the process at once. The handler writes to a pipe: Dispatch's own signal sources may miss a
/// signal on Linux that comes while no thread has it blocked.
final class EndSignals: Sendable {
    private let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !InheritedSignal.isIgnored($0) }

    /// Write end of the handler's pipe; set once, before the handler is installed.
    private nonisolated(unsafe) static var writingEnd: Int32 = -1

    /// The first signal received; nil: none.
    var received: Int32? { first.value }
    private let first: Noted

    private final class Noted: Sendable {
        private let number = Mutex<Int32?>(nil)
        var value: Int32? { number.withLock { $0 } }
        func note(_ signal: Int32) { number.withLock { $0 = $0 ?? signal } }
    }

    // A source may be cancelled from any thread, which its protocol does not declare.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    init(_ body: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        EndSignals.writingEnd = ends[1]
        let first = Noted()
        self.first = first
        source = DispatchSource.makeReadSource(fileDescriptor: ends[0], queue: .global())
        source.setEventHandler { [reading = ends[0]] in
            var byte: UInt8 = 0
            if read(reading, &byte, 1) == 1 { first.note(Int32(byte)) }
            body()
        }
        source.resume()
        for number in numbers {
            // Only async-signal-safe calls: `signal` and `write`.
            signal(number) { number in
                signal(number, SIG_DFL)
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(EndSignals.writingEnd, &byte, 1)
            }
        }
    }

    /// Restores the default handling of the signals.
    func end() {
        for number in numbers { signal(number, SIG_DFL) }
        source.cancel()
    }
}
