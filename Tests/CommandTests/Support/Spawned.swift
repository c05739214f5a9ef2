import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A process of the real program: its streams are pipes, or a terminal of a given width.
final class Spawned {
    enum Streams {
        case pipes
        /// Both outputs in one pipe, in their order.
        case merged
        /// As `pipes`, with a standard error that the caller has.
        case errors(to: Int32)
        case terminal(columns: Int)
    }

    enum Stream { case out, err }

    struct Ended: Equatable {
        let code: Int32
        let out: String
        let err: String
    }

    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    /// Longer than anything here takes on a busy machine.
    static let patience: TimeInterval = 90

    private var process: pid_t = 0
    private let words: [String]
    private var input: Int32 = -1
    private var outputs: [(stream: Stream, descriptor: Int32)] = []
    private var text: [Stream: [UInt8]] = [.out: [], .err: []]
    private var status: Int32?

    /// One process is started at a time: the child of another must not hold this one's pipes open.
    private static let starting = Mutex(())

    /// Another program than the one that was built is a file of it somewhere else.
    init(
        _ arguments: [String],
        environment: [String: String],
        streams: Streams = .pipes,
        program: String = ScurryProgram.path
    ) throws {
        words = arguments
        try Spawned.starting.withLock { _ in try start(program, arguments, environment, streams) }
    }

    private func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        _ streams: Streams
    ) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var toClose: [Int32] = []
        var flags = Spawned.defaultSignals(&attributes)
        switch streams {
        case .pipes, .merged, .errors:
            let standardInput = try Spawned.pipe()
            let out = try Spawned.pipe()
            input = standardInput.writing
            outputs = [(.out, out.reading)]
            toClose = [standardInput.reading, out.writing]
            posix_spawn_file_actions_adddup2(&actions, standardInput.reading, 0)
            posix_spawn_file_actions_adddup2(&actions, out.writing, 1)
            if case .pipes = streams {
                let err = try Spawned.pipe()
                outputs.append((.err, err.reading))
                toClose.append(err.writing)
                posix_spawn_file_actions_adddup2(&actions, err.writing, 2)
            } else if case .errors(let descriptor) = streams {
                posix_spawn_file_actions_adddup2(&actions, descriptor, 2)
            } else {
                posix_spawn_file_actions_adddup2(&actions, out.writing, 2)
            }
        case .terminal(let columns):
            let (leader, path) = try Spawned.terminal(columns: columns)
            input = leader
            outputs = [(.out, leader)]
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            // A session of its own: the first terminal that it opens becomes its controlling one.
            flags |= Spawned.newSession
        }
        posix_spawnattr_setflags(&attributes, flags)
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { for text in words + variables { free(text) } }
        let code = posix_spawn(&process, program, &actions, &attributes, words, variables)
        for descriptor in toClose { close(descriptor) }
        guard code == 0 else { throw Trouble(description: "cannot start \(program): error \(code)") }
    }

    deinit {
        if status == nil, process > 0 {
            kill(process, SIGKILL)
            var status: Int32 = 0
            waitpid(process, &status, 0)
        }
        closeInput()
        for output in outputs { close(output.descriptor) }
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            sent += count
        }
    }

    /// The end of standard input; a terminal is closed with its output.
    func closeInput() {
        if input >= 0, !outputs.contains(where: { $0.descriptor == input }) { close(input) }
        input = -1
    }

    /// Whether the terminal shows what is typed.
    func echoes() throws -> Bool {
        var settings = termios()
        guard tcgetattr(outputs.first?.descriptor ?? -1, &settings) == 0 else {
            throw Trouble(description: "no terminal")
        }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    func signal(_ number: Int32) {
        // Once it was waited for, its number may be another process's.
        guard status == nil else { return }
        kill(process, number)
    }

    /// Nobody reads the output any more.
    func closeOutput() {
        for output in outputs { close(output.descriptor) }
        outputs = []
    }

    /// What was read of a stream so far: all of it only once `finish` has read to the end.
    func text(_ stream: Stream) -> String {
        String(decoding: text[stream] ?? [], as: UTF8.self)
    }

    /// What a stream has given, as it came.
    func bytes(_ stream: Stream) -> [UInt8] { text[stream] ?? [] }

    /// Reads until the stream holds a text; what stands there then.
    @discardableResult
    func wait(for wanted: String, in stream: Stream = .out, _ count: Int = 1) throws -> String {
        try readUntil("“\(wanted)”") { text(stream).components(separatedBy: wanted).count > count }
        return text(stream)
    }

    /// The same with what a pattern fits, colours aside.
    @discardableResult
    func wait(for wanted: some RegexComponent, _ count: Int = 1) throws -> String {
        let plain = { self.text(.out).replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
        try readUntil("a pattern, \(count) times") { plain().matches(of: wanted).count >= count }
        return plain()
    }

    /// Reads to the end and waits for the exit.
    func finish() throws -> Ended {
        if case .some(let first) = outputs.first, first.descriptor != input { closeInput() }
        try readUntil("the end") { outputs.isEmpty }
        return Ended(code: try exitCode(), out: text(.out), err: text(.err))
    }

    /// Waits for the exit, whatever happens to the streams.
    func exitCode() throws -> Int32 {
        if let status { return status }
        let deadline = Date().addingTimeInterval(Spawned.patience)
        var raw: Int32 = 0
        while waitpid(process, &raw, WNOHANG) == 0 {
            guard Date() < deadline else {
                let seen = "out: \(text(.out)); err: \(text(.err))"
                throw Trouble(description: "scurry \(words.joined(separator: " ")) does not end; \(seen)")
            }
            usleep(2_000)
        }
        let code = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : -(raw & 0x7F)
        status = code
        return code
    }

    private func readUntil(_ what: String, _ isDone: () -> Bool) throws {
        let deadline = Date().addingTimeInterval(Spawned.patience)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isDone() {
            guard !outputs.isEmpty, Date() < deadline else {
                throw Trouble(description: "waited for \(what); out: \(text(.out)); err: \(text(.err))")
            }
            var polls = outputs.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), 100) > 0 else { continue }
            for (output, result) in zip(outputs, polls) where result.revents != 0 {
                let count = read(output.descriptor, &buffer, buffer.count)
                if count > 0 {
                    text[output.stream, default: []] += buffer.prefix(count)
                } else {
                    // A terminal whose last user has gone says EIO.
                    close(output.descriptor)
                    outputs.removeAll { $0.descriptor == output.descriptor }
                    if output.descriptor == input { input = -1 }
                }
            }
        }
    }

    /// The signals that a person sends mean to a child what they mean at a terminal: a shell starts what runs in its
    /// background with some of them ignored, and an ignored one stays so through `exec(2)`.
    private static func defaultSignals(_ attributes: inout posix_spawnattr_t) -> Int16 {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        return Int16(POSIX_SPAWN_SETSIGDEF)
    }

    /// A pipe of a test, which no child inherits but one that gets it (`Streams.errors`).
    static func heldPipe() throws -> (reading: Int32, writing: Int32) {
        try starting.withLock { _ in try pipe() }
    }

    /// A pipe that no child inherits but by `adddup2`.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
            let status = Darwin.pipe(&ends)
        #else
            let status = Glibc.pipe(&ends)
        #endif
        guard status == 0 else { throw Trouble(description: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    #if canImport(Darwin)
        private static let newSession = Int16(POSIX_SPAWN_SETSID)

        private static func openTerminal() throws -> (leader: Int32, path: String) {
            let leader = posix_openpt(O_RDWR | O_NOCTTY)
            guard leader >= 0, grantpt(leader) == 0, unlockpt(leader) == 0, let name = ptsname(leader) else {
                throw Trouble(description: "no terminal")
            }
            return (leader, String(cString: name))
        }
    #else
        // POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not see: it is behind a GNU switch.
        private static let newSession: Int16 = 0x80

        /// `/dev/ptmx` as `posix_openpt` and `unlockpt` use it: those are behind the same switch.
        private static func openTerminal() throws -> (leader: Int32, path: String) {
            let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
            let number: UInt = 0x8004_5430  // TIOCGPTN
            let leader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var locked: Int32 = 0
            var place: Int32 = 0
            guard leader >= 0, ioctl(leader, unlock, &locked) == 0, ioctl(leader, number, &place) == 0 else {
                throw Trouble(description: "no terminal")
            }
            return (leader, "/dev/pts/\(place)")
        }
    #endif

    private static func terminal(columns: Int) throws -> (leader: Int32, path: String) {
        let (leader, path) = try openTerminal()
        _ = fcntl(leader, F_SETFD, FD_CLOEXEC)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(leader, UInt(TIOCSWINSZ), &size) == 0 else { throw Trouble(description: "no size") }
        return (leader, path)
    }
}
