#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The program file of this process, and whether it was replaced since.
package struct RunningProgram: Hashable, Sendable {
    /// Absolute path.
    package let path: String
    /// The file's stamp at creation of this value; nil: it had been replaced by then.
    private let stamp: Stamp?

    /// Metadata that differs between two files of one name, even of equal length.
    private struct Stamp: Hashable, Sendable {
        let device: UInt64
        let node: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64

        /// `stat`; nil if there is no file.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(status.st_ino)
            size = Int64(status.st_size)
            #if canImport(Glibc)
                (seconds, nanoseconds) = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
            #else
                (seconds, nanoseconds) = (Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec))
            #endif
        }
    }

    /// The running process's own; nil where the system does not tell, and for a path that is not UTF-8.
    package init?() {
        guard let link = Self.link() else { return nil }
        // The kernel's mark of a file whose name was removed.
        let mark = " (deleted)"
        if link.hasSuffix(mark) {
            path = String(link.dropLast(mark.count))
            stamp = nil
        } else {
            path = link
            stamp = Stamp(link)
        }
    }

    init(at path: String) {
        self.path = path
        stamp = Stamp(path)
    }

    /// Whether a new start would run another file; false while there is none, as during an installation.
    package var isReplaced: Bool {
        guard let now = Stamp(path) else { return false }
        return now != stamp
    }

    /// `readlink` of `/proc/self/exe`.
    private static func link() -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
