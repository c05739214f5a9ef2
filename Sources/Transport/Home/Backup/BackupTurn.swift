#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to keep copies of the databases in a home, shared by all backups that run (`flock` on the home's
/// directory): whoever gets it alone knows that no copy there is in use.
///
/// The lock is on the directory and not on a copy: SQLite locks the copy too, and where `flock` is made of `fcntl`
/// locks, as on NFS, the two would exclude each other.
final class BackupTurn: Sendable {
    private let directory: OpenFile

    private init(_ directory: consuming OpenFile) {
        self.directory = directory
    }

    /// Takes its share; nil if the file system gives none.
    static func share(of layout: HomeLayout) -> BackupTurn? {
        guard let directory = try? OpenFile(layout.data, for: .directory) else { return nil }
        let deadline = SystemClock.monotonicMilliseconds + TransportLimits.backupPatienceMilliseconds
        while true {
            guard let isShared = try? directory.tryLockShared() else { return nil }
            if isShared { return BackupTurn(directory) }
            guard SystemClock.monotonicMilliseconds < deadline else { return nil }
            usleep(5_000)
        }
    }
}
