#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A program run by the shell: the person's pager or editor, or a system tool.
///
/// `PAGER` and `EDITOR` hold shell text (`less -R`, `code --wait`), so `sh -c` runs them, as for any Unix program. The
/// child gets the default signal handling back; while it runs, Ctrl-C is left to it.
struct ChildProcess {
    private let id: pid_t

    enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled
    }

    /// Starts `sh -c script`; `$1` and so on in the script are the arguments. Nil if no process could be created.
    init?(
        script: String,
        arguments: [String],
        environment: Environment,
        standardInput: Int32?,
        standardOutput: Int32? = nil
    ) {
        var actions = ChildProcess.emptyActions()
        var attributes = ChildProcess.emptyAttributes()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let standardInput { posix_spawn_file_actions_adddup2(&actions, standardInput, 0) }
        if let standardOutput { posix_spawn_file_actions_adddup2(&actions, standardOutput, 1) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = CStrings(["sh", "-c", script, "sh"] + arguments)
        let variables = CStrings(environment.variables.map { $0.key + "=" + $0.value }, environment.illegible)
        var id = pid_t()
        guard posix_spawn(&id, "/bin/sh", &actions, &attributes, words.pointers, variables.pointers) == 0 else {
            return nil
        }
        self.id = id
    }

    /// Waits until the process has ended: `waitpid(2)`.
    func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            if errno != EINTR { return .signalled }
        }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled
    }

    /// Runs `body` while Ctrl-C and Ctrl-\ do not end this process.
    static func ignoringInterrupts<Result>(_ body: () -> Result) -> Result {
        let interrupt = signal(SIGINT, SIG_IGN)
        let quit = signal(SIGQUIT, SIG_IGN)
        defer {
            signal(SIGINT, interrupt)
            signal(SIGQUIT, quit)
        }
        return body()
    }

    #if canImport(Darwin)
        private static func emptyActions() -> posix_spawn_file_actions_t? { nil }
        private static func emptyAttributes() -> posix_spawnattr_t? { nil }
    #else
        private static func emptyActions() -> posix_spawn_file_actions_t { .init() }
        private static func emptyAttributes() -> posix_spawnattr_t { .init() }
    #endif

    /// A nil-terminated array of C strings that lives as long as this object.
    private final class CStrings {
        let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
        private let count: Int

        /// `others` are C strings with their NUL.
        init(_ texts: [String], _ others: [[CChar]] = []) {
            count = texts.count + others.count
            pointers = .allocate(capacity: count + 1)
            for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
            for (index, other) in others.enumerated() { (pointers + texts.count + index).initialize(to: strdup(other)) }
            (pointers + count).initialize(to: nil)
        }

        deinit {
            for index in 0..<count { free(pointers[index]) }
            pointers.deallocate()
        }
    }
}
