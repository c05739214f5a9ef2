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
        /// A file is longer than one of its kind may be, and was not read.
        case tooLong
        case readOnlyDisk
        /// The file system has no locks.
        case noLocks
        /// A symbolic link that is not followed.
        case link
        /// A directory, pipe or device in the place of a file; a link to a path that is not UTF-8.
        case noFile
        /// A file that has to be UTF-8 is not.
        case noText
        /// EMFILE, ENFILE: this process, or all together, have as many files open as they may.
        case tooManyFiles
        case other
    }

    /// The failure where something else lies in the place of a file, of which no call has a code.
    static func noFile(_ path: String) -> SystemError { SystemError(call: "S_ISREG", path: path, code: EINVAL) }

    /// Whether something else lies in the place of a file; ENXIO is what `open` says of a socket.
    private var isNoFile: Bool { call == "S_ISREG" || (call == "open" && code == ENXIO) }

    /// The failure where the real path of a file is not UTF-8: an error message could not name it, nor a `String` find
    /// it.
    static func illegible(_ path: String) -> SystemError { SystemError(call: "realpath", path: path, code: EILSEQ) }

    private var isIllegible: Bool { call == "realpath" && code == EILSEQ }

    package var reason: Reason {
        if isNoFile || isIllegible { return .noFile }
        return switch code {
        case EFBIG where call == "read": .tooLong
        case ENOSPC, EDQUOT, EFBIG: .noRoom
        case EROFS: .readOnlyDisk
        case ENOLCK: .noLocks
        case ENOSYS, EOPNOTSUPP: call == "flock" || call == "fcntl" ? .noLocks : .other
        case ELOOP: .link
        case EISDIR: .noFile
        case EILSEQ: .noText
        case EMFILE, ENFILE: .tooManyFiles
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
        if isIllegible { return "the real path of \(path) is not UTF-8" }
        if code == EILSEQ, !path.isEmpty { return "\(path) is not UTF-8 text" }
        if isNoFile { return "\(path) is not a file" }
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        return path.isEmpty ? reason : "\(path): \(reason)"
    }
}
