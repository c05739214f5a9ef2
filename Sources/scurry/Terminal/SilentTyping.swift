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

    /// The line without its line break; nil at the end of the input, or if there is no terminal.
    ///
    /// The question is written when echo is off already, so nobody types too early. What was typed behind the line is
    /// dropped, as getpass(3) does: it was not shown, and the shell would run it.
    ///
    /// - Throws: as `SecretLine.read`.
    static func line(_ question: [UInt8], limit: Int) throws(SecretLine.Fault) -> SecretBytes? {
        guard tcgetattr(0, before) == 0 else { return nil }
        var silent = before.pointee
        silent.c_lflag &= ~tcflag_t(ECHO)
        // Ctrl-Z is disabled: it would return to a shell without echo.
        withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = noCharacter }
        let handled = signals.filter { !InheritedSignal.isIgnored($0) }
        for number in handled {
            // Restores echo at a signal; only async-signal-safe calls. What was typed so far is dropped here too, but
            // not by TCSAFLUSH: that waits for output, and this must not.
            signal(number) { number in
                tcflush(0, TCIFLUSH)
                tcsetattr(0, TCSANOW, SilentTyping.before)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        tcsetattr(0, TCSAFLUSH, &silent)
        defer {
            tcsetattr(0, TCSAFLUSH, before)
            for number in handled { signal(number, SIG_DFL) }
            _ = Descriptor.standardError.write([0x0A])
        }
        _ = Descriptor.standardError.write(question)
        return try SecretLine.read(from: 0, limit: limit)
    }
}

/// A line of secret bytes.
enum SecretLine {
    /// Why there is no line, though there is something.
    enum Fault: Error, Equatable {
        case tooLong
        case unreadable(errno: Int32)
    }

    /// Reads up to the first line break or the end, without `\r`; nil if there is nothing.
    ///
    /// - Throws: `.tooLong` for a line of more than `limit` bytes, `.unreadable` if a read fails.
    static func read(from descriptor: Int32, limit: Int) throws(Fault) -> SecretBytes? {
        let input = Descriptor(number: descriptor)
        var count = 0
        var sawAnything = false
        let buffer = try SecretBytes(count: limit) { target throws(Fault) in
            while let byte = try next(from: input) {
                sawAnything = true
                if byte == 0x0A { return }
                guard count < limit else {
                    skip(on: input)
                    throw Fault.tooLong
                }
                target[count] = byte
                count += 1
            }
        }
        guard sawAnything else { return nil }
        if count > 0, buffer.withUnsafeBytes({ $0[count - 1] }) == 0x0D { count -= 1 }
        return buffer.part(0..<count)
    }

    /// One byte, since those behind the line are another reader's; nil at the end.
    static func next(from input: Descriptor) throws(Fault) -> UInt8? {
        var byte: UInt8 = 0
        let got = withUnsafeMutableBytes(of: &byte) { input.read(into: $0) }
        if got < 0 { throw .unreadable(errno: errno) }
        return got == 1 ? byte : nil
    }

    /// Reads a terminal's line to its end and keeps nothing: the rest would go to the shell, which shows it and keeps
    /// it in its history. Elsewhere the rest is nobody's, and may have no end.
    static func skip(on input: Descriptor) {
        guard input.isTerminal else { return }
        while let byte = try? next(from: input), byte != 0x0A {}
    }
}
