#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Synchronization

/// One output stream of the program: data to standard output, everything else to standard error.
///
/// Output is buffered up to a limit or until `flush()`; a terminal gets each call at once. If the reader has gone,
/// standard output throws `ReaderGone`, which ends the command with exit code 0, and standard error ignores it. A
/// command waits for whoever reads; a node does not (`queued`).
final class Output: Sendable {
    /// Buffer size, in bytes; guess.
    private static let bufferBytes = 65_536

    enum Purpose: Sendable { case data, messages }

    let look: Look
    let stream: Look.Stream
    private let descriptor: Descriptor
    /// Writes in place of the caller; nil: the caller writes.
    private let queue: LogQueue?
    private let purpose: Purpose
    private let environment: Environment
    private let pending = Mutex<[UInt8]>([])

    init(_ descriptor: Descriptor, for purpose: Purpose, environment: Environment, colour: Look.ColourChoice) {
        self.descriptor = descriptor
        self.purpose = purpose
        self.environment = environment
        queue = nil
        stream = descriptor.stream
        look = Look(of: stream, environment: environment, colour: colour)
    }

    private init(_ direct: Output, through queue: LogQueue) {
        descriptor = direct.descriptor
        self.queue = queue
        purpose = direct.purpose
        environment = direct.environment
        stream = direct.stream
        look = direct.look
    }

    static func standardOutput(environment: Environment, colour: Look.ColourChoice) -> Output {
        Output(.standardOutput, for: .data, environment: environment, colour: colour)
    }

    static func standardError(environment: Environment, colour: Look.ColourChoice) -> Output {
        Output(.standardError, for: .messages, environment: environment, colour: colour)
    }

    /// The same stream for messages that must hold up nobody: they are written by the queue, and what fails is lost.
    ///
    /// - Parameter loss: the line that says how many lines were dropped.
    /// - Returns: the stream, and the queue to be finished before the process ends or something else writes there.
    func queued(tellingLoss loss: @escaping @Sendable (_ lines: Int) -> StyledLine) -> (output: Output, queue: LogQueue)
    {
        let queue = LogQueue(descriptor) { self.bytes(of: [loss($0)]) }
        return (Output(self, through: queue), queue)
    }

    /// Writes lines in the look of this stream.
    func write(_ lines: [StyledLine]) throws {
        try write(bytes(of: lines))
    }

    func write(_ line: StyledLine) throws {
        try write([line])
    }

    /// Writes one line of JSON Lines; never coloured, never paged.
    func write(_ object: JSONObject) throws {
        try write(Array((object.line + "\n").utf8))
    }

    /// Writes raw bytes, for an export; the caller refuses a terminal.
    func write(_ bytes: [UInt8]) throws {
        let isFull = pending.withLock { pending in
            pending += bytes
            return pending.count >= Output.bufferBytes
        }
        if isFull || stream.isTerminal { try flush() }
    }

    /// Writes long output, on a terminal through the pager.
    func page(_ lines: [StyledLine]) throws {
        try flush()
        guard stream.isTerminal, let pager = Pager(environment: environment) else { return try write(lines) }
        if pager.show(bytes(of: lines)) == .notStarted { try write(lines) }
    }

    /// Writes lines that must be seen; false if they could not be written, which nobody knows of queued ones.
    func show(_ lines: [StyledLine]) -> Bool {
        pending.withLock { pending in
            pending += bytes(of: lines)
            defer { pending.removeAll(keepingCapacity: true) }
            return put(pending) == .written
        }
    }

    /// Writes the buffer.
    func flush() throws {
        // The lock is held during the write, or two tasks could swap their lines.
        let outcome = pending.withLock { pending in
            defer { pending.removeAll(keepingCapacity: true) }
            return put(pending)
        }
        if purpose == .messages { return }
        switch outcome {
        case .written: return
        case .readerGone: throw ReaderGone()
        case .failed(EBADF):
            throw Failure(.failure, "standard output is closed", hint: "> FILE, or > /dev/null, keeps it open")
        case .failed(let code):
            throw Failure(
                .failure,
                "cannot write to standard output: \(Descriptor.reason(code))",
                hint: "df -h . shows whether the disk is full"
            )
        }
    }

    private func put(_ bytes: [UInt8]) -> Descriptor.Outcome {
        guard let queue else { return descriptor.write(bytes) }
        queue.append(bytes)
        return .written
    }

    private func bytes(of lines: [StyledLine]) -> [UInt8] {
        lines.reduce(into: []) { $0 += Array(($1.text(look) + "\n").utf8) }
    }
}
