#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Sodium

/// Reads a line from the terminal without echo; the bytes go straight into guarded memory.
enum SilentTyping {
    /// The terminal's settings before, for the signal handler alone; set before it is installed. Allocated, since a
    /// Swift variable has no room for the padding at the end of C's structure, which `tcgetattr` writes too.
    private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// `_POSIX_VDISABLE`, which is not imported into Swift.
    #if canImport(Darwin)
        private static let noCharacter = UInt8.max
    #else
        private static let noCharacter: UInt8 = 0
    #endif

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The line without its line break, cut at `limit` bytes; nil at the end of the input, or if there is no terminal.
    ///
    /// The question is written when echo is off already, so nobody types too early.
    static func line(_ question: [UInt8], limit: Int) -> SecretBytes? {
        guard tcgetattr(0, before) == 0 else { return nil }
        var silent = before.pointee
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-Z is disabled: it would return to a shell without echo.
        withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = noCharacter }
        let handled = signals.filter { !InheritedSignal.isIgnored($0) }
        for number in handled {
            // Restores echo at a signal; only async-signal-safe calls.
            signal(number) { number in
                tcsetattr(0, TCSANOW, SilentTyping.before)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        tcsetattr(0, TCSAFLUSH, &silent)
        defer {
            tcsetattr(0, TCSANOW, before)
            for number in handled { signal(number, SIG_DFL) }
            _ = Descriptor.standardError.write([0x0A])
        }
        _ = Descriptor.standardError.write(question)
        return SecretLine.read(from: 0, limit: limit)
    }
}

/// A line of secret bytes.
enum SecretLine {
    /// Reads up to the first line break or the end, without `\r`; nil if there is nothing, the line is longer than
    /// `limit`, or a read fails.
    static func read(from descriptor: Int32, limit: Int) -> SecretBytes? {
        var count = 0
        var sawAnything = false
        var isTooLong = false
        var hasFailed = false
        let buffer = SecretBytes(count: limit) { target in
            while true {
                // One byte at a time: bytes behind the line are another reader's.
                var byte: UInt8 = 0
                let got = withUnsafeMutableBytes(of: &byte) { Descriptor(number: descriptor).read(into: $0) }
                if got < 0 { hasFailed = true }
                guard got == 1 else { return }
                sawAnything = true
                if byte == 0x0A { return }
                guard count < limit else {
                    isTooLong = true
                    return
                }
                target[count] = byte
                count += 1
            }
        }
        guard sawAnything, !isTooLong, !hasFailed else { return nil }
        if count > 0, buffer.withUnsafeBytes({ $0[count - 1] }) == 0x0D { count -= 1 }
        return buffer.part(0..<count)
    }
}
