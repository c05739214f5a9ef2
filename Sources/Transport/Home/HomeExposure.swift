#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What can be found out about a home before it is opened, for somebody who looks for what is wrong.
extension HomeLayout {
    /// Directories and files that other users can get at, or that are theirs; `.exposed` and `.foreignOwner`.
    package var exposures: [HomeError] {
        var found: [HomeError] = []
        let note = { (body: () throws(HomeError) -> Void) in
            do throws(HomeError) {
                try body()
            } catch {
                switch error {
                case .exposed, .foreignOwner: found.append(error)
                // Whatever is missing or unreadable is told by whoever opens it.
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

    /// Whether the file system of the home takes no writes (`statvfs`, ST_RDONLY).
    package var isOnReadOnlyDisk: Bool {
        var facts = statvfs()
        return statvfs(data, &facts) == 0 && facts.f_flag & 1 != 0
    }

    /// Why nothing of 64 KiB can be written where the home is: a quota, a disk that is full or broken; nil if it can.
    ///
    /// The file is gone again afterwards.
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

    /// When something was last written where posts are, as the clock stood then: Unix milliseconds; nil if nobody knows.
    package var lastWritten: UInt64? {
        [store, store + "-wal", lock].compactMap { path -> UInt64? in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            #if canImport(Glibc)
                let time = status.st_mtim
            #else
                let time = status.st_mtimespec
            #endif
            return UInt64(clamping: Int(time.tv_sec) * 1_000 + Int(time.tv_nsec) / 1_000_000)
        }.max()
    }

    /// The type of a file system over a network, or of a user's program, where the home is: `nfs4`; nil on any other.
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
