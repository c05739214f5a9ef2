#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Removes files at a signal that ends the process, such as Ctrl-C, and lets it end by that signal.
enum RemovalAtSignal {
    /// The paths, then nil; for the signal handler alone, set before it is installed.
    private nonisolated(unsafe) static var paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    /// Signals that have the handler; for `begin` and `end` alone, which one thread calls.
    private nonisolated(unsafe) static var handled: [Int32] = []

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Signals that are ignored from the start stay ignored.
    static func begin(_ files: [String]) {
        // Never freed: a handler may run until the process ends.
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: files.count + 1)
        for (index, file) in files.enumerated() { (list + index).initialize(to: strdup(file)) }
        (list + files.count).initialize(to: nil)
        paths = list
        handled = signals.filter { !InheritedSignal.isIgnored($0) }
        for number in handled {
            // Only async-signal-safe calls: `unlink`, `signal` and `raise`.
            signal(number) { number in
                var place = RemovalAtSignal.paths
                while let path = place?.pointee {
                    unlink(path)
                    place = place?.successor()
                }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Restores the default handling of the signals.
    static func end() {
        for number in handled { signal(number, SIG_DFL) }
        handled = []
    }
}
