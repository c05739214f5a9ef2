// The C array `environ` is a global variable, which Swift 6 refuses without `@preconcurrency`; it is read once, at
// start.
#if canImport(Darwin)
    @preconcurrency import Darwin
#else
    @preconcurrency import Glibc
#endif

/// The environment variables of the process; tests make their own.
struct Environment: Equatable, Sendable {
    let variables: [String: String]
    /// Entries that are not UTF-8, `NAME=VALUE` with the NUL behind it: child processes get them as they are.
    let illegible: [[CChar]]

    init(_ variables: [String: String], illegible: [[CChar]] = []) {
        self.variables = variables
        self.illegible = illegible
    }

    /// Nil for a variable that is absent or empty: the conventions treat both alike.
    subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The variables of this process: `environ(7)`.
    static func ofProcess() -> Environment {
        var variables: [String: String] = [:]
        var illegible: [[CChar]] = []
        var next = environ
        while let entry = next.pointee {
            if let text = String(validatingCString: entry) {
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            } else {
                illegible.append(Array(UnsafeBufferPointer(start: entry, count: strlen(entry) + 1)))
            }
            next += 1
        }
        return Environment(variables, illegible: illegible)
    }

    /// Variables that decide where files are, what is run and how output looks. `PATH` is the shell's, and `USER` only
    /// proposes a name.
    private static let needed = [
        "SCURRY_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
        "VISUAL", "EDITOR", "PAGER", "LESS", "TERM", "NO_COLOR", "COLUMNS", "LC_ALL", "LC_CTYPE", "LANG",
    ]

    /// Why the program cannot go by this environment: the first variable of those that it needs that is not UTF-8. A
    /// repaired one would name another directory or program.
    var failure: Failure? {
        let name = Environment.needed.first { name in
            illegible.contains { $0.starts(with: (name + "=").utf8CString.dropLast()) }
        }
        return name.map { name in
            let shown = SafeText(line: name)
            return Failure(.failure, "the environment variable \(shown) is not UTF-8", hint: "unset \(shown)")
        }
    }
}
