#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file descriptor of the process, with libc's calls on it: the one file that writes to streams.
struct Descriptor: Equatable, Sendable {
    static let standardInput = Descriptor(number: 0)
    static let standardOutput = Descriptor(number: 1)
    static let standardError = Descriptor(number: 2)

    let number: Int32

    /// How a write ended.
    enum Outcome: Equatable, Sendable {
        case written
        /// `EPIPE`: the reader has closed the stream.
        case readerGone
        case failed(errno: Int32)
    }

    /// `isatty(3)`.
    var isTerminal: Bool { isatty(number) == 1 }

    /// Whether the stream leads to a program or a file: it is no terminal and is open for writing (`fcntl(2)`).
    var takesData: Bool {
        let flags = fcntl(number, F_GETFL)
        return flags >= 0 && flags & O_ACCMODE != O_RDONLY && !isTerminal
    }

    /// `isatty(3)`, and the columns by `ioctl(TIOCGWINSZ)`.
    var stream: Look.Stream {
        var size = winsize()
        let isKnown = ioctl(number, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return Look.Stream(isTerminal: isTerminal, columns: isKnown ? Int(size.ws_col) : nil)
    }

    /// Writes all bytes: `write(2)`, repeated after a signal, and after `poll(2)` on a non-blocking stream.
    func write(_ bytes: [UInt8]) -> Outcome {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                #if canImport(Darwin)
                    let count = Darwin.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                #else
                    let count = Glibc.write(number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                #endif
                if count >= 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                case EPIPE: return .readerGone
                case let code: return .failed(errno: code)
                }
            }
            return .written
        }
    }

    /// Reads some bytes: `read(2)`, repeated after a signal, and after `poll(2)` on a non-blocking stream; 0 at the
    /// end, negative after a failure, before which not all was read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Darwin)
                let count = Darwin.read(number, buffer.baseAddress, buffer.count)
            #else
                let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                _ = poll(&waiting, 1, -1)
            default: return count
            }
        }
    }

    /// Makes a write to a closed pipe an error instead of the end of the process: `signal(2)`. Called once, at start.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Opens `/dev/null` for each standard stream that the process was started without: otherwise the next file or
    /// socket would get its number, and the stream's output. Reading and writing these streams gives `EBADF`. Called
    /// once, at start.
    static func holdStandardStreams() {
        for stream in [standardInput, standardOutput, standardError] where fcntl(stream.number, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", stream == standardInput ? O_WRONLY : O_RDONLY)
        }
    }

    /// The text of an error number, `strerror(3)`.
    static func reason(_ code: Int32) -> SafeText {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return SafeText(line: String(decoding: bytes, as: UTF8.self))
    }
}
