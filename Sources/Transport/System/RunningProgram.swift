#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The file that this process was started from, and whether another one has taken its place since.
package struct RunningProgram: Hashable, Sendable {
    /// Absolute path.
    package let path: String
    /// As it was when this was made; nil: it had been replaced by then.
    private let stamp: Stamp?

    /// What differs between two files of one name, also where one has the other's length.
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

    /// This process's own; nil where the system does not tell.
    package init?() {
        guard let link = Self.link() else { return nil }
        // The kernel's mark where the file has lost its name.
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

    /// Whether a new start would run another file; false while there is none, as in the middle of an installation.
    package var isReplaced: Bool {
        guard let now = Stamp(path) else { return false }
        return now != stamp
    }

    /// `readlink` of `/proc/self/exe`.
    private static func link() -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
