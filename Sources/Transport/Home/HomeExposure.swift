#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Diagnostics of a home that do not open it.
extension HomeLayout {
    /// Directories and files that others can access or own, as `.exposed` and `.foreignOwner`.
    package var exposures: [HomeError] {
        var found: [HomeError] = []
        let note = { (body: () throws(HomeError) -> Void) in
            do throws(HomeError) {
                try body()
            } catch {
                switch error {
                case .exposed, .foreignOwner: found.append(error)
                // A missing or unreadable file is reported when it is opened.
                default: break
                }
            }
        }
        note { () throws(HomeError) in try Privacy.checkPrivateDirectory(data) }
        if settings != data { note { () throws(HomeError) in try Privacy.checkDirectory(settings) } }
        note { () throws(HomeError) in try Privacy.checkPrivateDirectory(keys) }
        for name in ((try? FileSystem.names(in: keys)) ?? []).sorted() {
            note { () throws(HomeError) in
                try Privacy.checkSecret(
                    try HomeError.wrap { () throws(SystemError) in try OpenFile(keys + "/" + name, for: .read) }
                )
            }
        }
        return found
    }

    /// Whether the home's file system is read-only (`statvfs`, ST_RDONLY).
    package var isOnReadOnlyDisk: Bool {
        var facts = statvfs()
        return statvfs(data, &facts) == 0 && facts.f_flag & 1 != 0
    }

    /// Why 64 KiB cannot be written where the home is: a quota, a full or a broken disk; nil if they can.
    ///
    /// Writes a file, and removes it.
    package var writingFault: SystemError? {
        let path = data + "/doctor.try-\(FileSystem.process)"
        defer { try? FileSystem.remove(path) }
        do throws(SystemError) {
            try FileSystem.remove(path)
            let file = try OpenFile(path, for: .createPrivate)
            try file.put([UInt8](repeating: 0x5A, count: 65_536))
            try file.synchronize()
            return nil
        } catch {
            return SystemError(call: error.call, path: data, code: error.code)
        }
    }

    /// Time of the last write to the store, in Unix milliseconds of the clock then; nil if unknown.
    package var lastWritten: UInt64? {
        [store, store + "-wal", lock].compactMap { path -> UInt64? in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            #if canImport(Glibc)
                return status.st_mtim.milliseconds
            #else
                return status.st_mtimespec.milliseconds
            #endif
        }.max()
    }

    /// The type of the home's file system if it is a network's or a user program's (FUSE), such as `nfs4`; else nil.
    package func remoteFileSystem(_ mounts: MountTable = .current()) -> String? {
        mounts.type(of: data).flatMap { MountTable.isRemote($0) ? $0 : nil }
    }

    /// Bytes that this user may still write where the home is (`statvfs`); nil if the system does not say.
    package var freeBytes: UInt64? {
        var facts = statvfs()
        guard statvfs(data, &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }
}
