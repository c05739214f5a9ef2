#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A failed call of the operating system, with its object.
package struct SystemError: Error, Hashable, Sendable {
    /// The C function.
    package let call: String
    /// The file or the socket; empty if there is none.
    package let path: String
    /// `errno`.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// Takes `errno` as the call left it.
    init(_ call: String, _ path: String) {
        self.init(call: call, path: path, code: errno)
    }

    /// Reasons that a person can act on.
    package enum Reason: Hashable, Sendable {
        /// ENOSPC, EDQUOT, EFBIG
        case noRoom
        case readOnlyDisk
        /// The file system has no locks.
        case noLocks
        /// A symbolic link that is not followed.
        case link
        /// A file that has to be UTF-8 is not.
        case noText
        case other
    }

    package var reason: Reason {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .noRoom
        case EROFS: .readOnlyDisk
        case ENOLCK: .noLocks
        case ENOSYS, EOPNOTSUPP: call == "flock" || call == "fcntl" ? .noLocks : .other
        case ELOOP: .link
        case EILSEQ: .noText
        default: .other
        }
    }

    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
    var isExistence: Bool { code == EEXIST }
    package var isRefusal: Bool { code == EACCES || code == EPERM || code == EROFS }
}

extension SystemError: CustomStringConvertible {
    /// One line without the name of the C function: `~/scurry/lock: Permission denied`.
    package var description: String {
        if code == EILSEQ, !path.isEmpty { return "\(path) is not UTF-8 text" }
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return path.isEmpty ? reason : "\(path): \(reason)"
    }
}
