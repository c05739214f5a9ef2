#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import Storage

/// Whether the file system of a home keeps locks: those of the home (`flock`), and those of its database (`fcntl`).
///
/// On one that refuses them, or gives each to everybody, two processes could write at once, and fork a log.
extension HomeLayout {
    /// What is wrong with them; nil if they hold, or where nothing can be written to try it.
    ///
    /// The file is gone again afterwards. That locks hold nobody on another machine off (NFS with `nolock`) shows nowhere.
    package var lockFault: SystemError? {
        let path = data + "/lock.try-\(FileSystem.process)"
        defer { try? FileSystem.remove(path) }
        try? FileSystem.remove(path)
        guard let file = try? OpenFile(path, for: .createPrivate) else { return nil }
        do throws(SystemError) {
            guard try file.tryLock() else { return nil }
            try HomeLock.check(path)
            try file.lockRecord()
            return nil
        } catch {
            return SystemError(call: error.call, path: data, code: error.code)
        }
    }

    /// Why the store does not open: SQLite takes a lock that the file system refuses for one that somebody else holds.
    package func reason(_ error: StorageError) -> HomeError {
        switch error {
        case .busy, .other: lockFault.map { .system($0) } ?? .store(error)
        case .diskFull, .noRoomToCopy, .readOnly, .unopenable, .unwritable, .damaged, .newerVersion, .olderVersion,
            .absent,
            .foreignNetwork, .ownLogExists, .ownLogIncomplete, .ownLogEnded, .unfit:
            .store(error)
        }
    }
}

extension HomeLock {
    /// Throws ENOLCK where the file at `path`, whose lock this process has, lets itself be locked once more: each descriptor of
    /// `flock` stands for itself, in one process too.
    static func check(_ path: String) throws(SystemError) {
        let second: OpenFile
        // Too many open files, say: that tells nothing of locks.
        do throws(SystemError) { second = try OpenFile(path, for: .lock) } catch { return }
        if try second.tryLock() { throw SystemError(call: "flock", path: path, code: ENOLCK) }
    }
}
