#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Environment variables, user and working directory of the process.
///
/// A program with commands refuses variables that are not UTF-8 before it asks here, and passes the others on itself.
enum ProcessEnvironment {
    /// `getenv`; nil if it is unset, empty or not UTF-8.
    static func value(_ name: String) -> String? {
        guard let value = getenv(name), let text = String(validatingCString: value) else { return nil }
        return text.isEmpty ? nil : text
    }

    /// `getpwuid`: the home directory, if `HOME` does not say; nil if there is none, or it is not UTF-8.
    static var userDirectory: String? {
        guard let entry = getpwuid(geteuid()), let directory = entry.pointee.pw_dir else { return nil }
        return String(validatingCString: directory)
    }

    /// `getcwd`; nil if it fails.
    ///
    /// - Throws: `SystemError.illegible` for a path that is not UTF-8: repaired, it would be another one.
    static func workingDirectory() throws(SystemError) -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        guard let text = String(validatingCString: path) else { throw SystemError.illegible(".") }
        return text
    }
}
