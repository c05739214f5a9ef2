import Dispatch

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Calls something when the person or the system wants the process to end: SIGINT, SIGTERM, SIGHUP.
///
/// A second Ctrl-C ends it at once, whatever is under way.
final class EndSignals: Sendable {
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init(_ body: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                body()
                signal(number, SIG_DFL)
            }
            source.resume()
            return source
        }
    }

    /// Gives the signals their usual meaning back.
    func end() {
        for source in sources { source.cancel() }
    }
}
