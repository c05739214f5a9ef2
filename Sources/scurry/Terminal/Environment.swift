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

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// Nil for a variable that is absent or empty: the conventions treat both alike.
    subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The variables of this process: `environ(7)`.
    static func ofProcess() -> Environment {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return Environment(variables)
    }
}
