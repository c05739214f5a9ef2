#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Asks on the terminal: the question on standard error, the answer from standard input.
enum Question {
    /// Reads one line without its line break; nil at the end of the input.
    static func line(_ question: SafeText, on console: Console) -> String? {
        let look = console.err.look
        _ = Descriptor.standardError.write(Array(StyledLine(question).text(look).utf8))
        guard let answer = readLine(strippingNewline: true) else {
            _ = Descriptor.standardError.write([0x0A])
            return nil
        }
        return answer
    }

    /// True for `y` or `yes`; any other answer, also an empty one, is no.
    static func isAgreed(_ question: SafeText, on console: Console) -> Bool {
        let answer = line("\(question) [y/N] ", on: console)?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
