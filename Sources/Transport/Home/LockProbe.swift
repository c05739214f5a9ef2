#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import Storage

/// Tests the locks of a home's file system: the home's (`flock`), and the database's (`fcntl`).
///
/// Where locks are refused, or given to everybody, two processes could write at once and fork a log.
extension HomeLayout {
    /// Why locks do not work; nil if they do, or if no file can be written to test it.
    ///
    /// Removes its test file. Cannot detect locks that do not exclude other machines (NFS with `nolock`).
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

    /// Why the store does not open: SQLite reports a refused lock as one held by another process.
    package func reason(_ error: StorageError) -> HomeError {
        switch error {
        case .busy, .other: lockFault.map { .system($0) } ?? .store(error)
        case .diskFull, .noRoomToCopy, .readOnly, .unopenable, .unwritable, .damaged, .newerVersion, .olderVersion,
            .absent, .noFile, .tooManyFiles,
            .foreignNetwork, .ownLogExists, .ownLogIncomplete, .ownLogEnded, .unfit:
            .store(error)
        }
    }
}

extension HomeLock {
    /// Throws ENOLCK if `path`, which this process has locked, can be locked again: `flock` locks exclude each other by
    /// open file, also within a process.
    static func check(_ path: String) throws(SystemError) {
        let second: OpenFile
        // Another error, as too many open files, says nothing about locks.
        do throws(SystemError) { second = try OpenFile(path, for: .lock) } catch { return }
        if try second.tryLock() { throw SystemError(call: "flock", path: path, code: ENOLCK) }
    }
}
