#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Environment variables, user and working directory of the process.
enum ProcessEnvironment {
    /// `getenv`; nil if it is unset or empty.
    static func value(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// `getpwuid`: the home directory, if `HOME` does not say.
    static var userDirectory: String? {
        guard let entry = getpwuid(geteuid()), let directory = entry.pointee.pw_dir else { return nil }
        return String(cString: directory)
    }

    /// `getcwd`.
    static var workingDirectory: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
