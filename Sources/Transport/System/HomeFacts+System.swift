#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Storage

extension HomeFacts {
    /// Reads the facts of the file at `path` and of this machine; nil for a fact that the system does not give or that
    /// changes at each start: a container's machine id, the UUID of a memory file system.
    ///
    /// Never uses `st_dev`, which depends on the order in which disks are found. Never opens the file: closing any
    /// descriptor of a database drops this process's locks on it (SQLite, "How To Corrupt", 2.2).
    static func read(of path: String) -> HomeFacts {
        var facts = HomeFacts(machine: isContainer ? nil : machineID, birth: birth(of: path))
        do throws(SystemError) {
            let directory = try OpenFile(FileSystem.parent(of: path) ?? ".", for: .directory)
            facts.fileSystem = fileSystemUUID(directory.descriptor)
            facts.inode = hasLastingInodes(directory.descriptor) ? inode(of: path) : nil
        } catch {
            // A fact that the system does not give is not compared.
        }
        return facts
    }

    private static func inode(of path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static var machineID: String? {
        guard let bytes = try? FileSystem.read("/etc/machine-id", limit: 64, for: .readAnywhere) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        // "uninitialized" until the first boot is complete.
        return text.count == 32 && text.allSatisfy(\.isHexDigit) ? text : nil
    }

    /// Whether the machine id may change at each start.
    private static var isContainer: Bool {
        ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"].contains { FileSystem.exists($0) }
    }

    #if canImport(Glibc)
        /// `FS_IOC_GETFSUUID` of Linux 6.9: a length and 16 bytes; nil on older kernels, and for file systems that draw
        /// a UUID at each mount.
        private static func fileSystemUUID(_ descriptor: CInt) -> String? {
            // TMPFS_MAGIC, RAMFS_MAGIC, OVERLAYFS_SUPER_MAGIC
            let fleeting: [UInt32] = [0x0102_1994, 0x8584_58F6, 0x794C_7630]
            guard let type = fileSystemType(descriptor), !fleeting.contains(type) else { return nil }
            var answer = [UInt8](repeating: 0, count: 17)
            let request: UInt = 0x8011_1500
            let status = answer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { ioctl(descriptor, request, $0) } ?? -1
            }
            guard status == 0, answer.first == 16, answer.dropFirst().contains(where: { $0 != 0 }) else { return nil }
            return answer.dropFirst().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }

        /// False for FUSE (FUSE_SUPER_MAGIC): many such file systems renumber their files at each mount.
        private static func hasLastingInodes(_ descriptor: CInt) -> Bool {
            fileSystemType(descriptor) != 0x6573_5546
        }

        /// `fstatfs`, which Swift does not import: the type is the first word of `struct statfs`.
        private static func fileSystemType(_ descriptor: CInt) -> UInt32? {
            typealias Statfs = @convention(c) (CInt, UnsafeMutableRawPointer?) -> CInt
            guard let symbol = dlsym(nil, "fstatfs") else { return nil }
            let statfs = unsafeBitCast(symbol, to: Statfs.self)
            // 120 bytes on 64-bit systems.
            var answer = [UInt](repeating: 0, count: 32)
            let status = answer.withUnsafeMutableBytes { statfs(descriptor, $0.baseAddress) }
            return status == 0 ? answer.first.map { UInt32(truncatingIfNeeded: $0) } : nil
        }

        /// `statx`, which Swift does not import (a GNU extension); nil if libc or the file system has none.
        private static func birth(of path: String) -> Int64? {
            typealias Statx =
                @convention(c) (CInt, UnsafePointer<CChar>?, CInt, CUnsignedInt, UnsafeMutableRawPointer?)
                -> CInt
            guard let symbol = dlsym(nil, "statx") else { return nil }
            let statx = unsafeBitCast(symbol, to: Statx.self)
            // struct statx: 256 bytes; stx_mask u32 at 0, stx_btime at 80 (i64 seconds, u32 nanoseconds).
            let wanted: CUnsignedInt = 0x800
            var answer = [UInt8](repeating: 0, count: 256)
            return answer.withUnsafeMutableBytes { bytes -> Int64? in
                guard statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, wanted, bytes.baseAddress) == 0,
                    bytes.load(as: UInt32.self) & wanted != 0
                else { return nil }
                let seconds = bytes.load(fromByteOffset: 80, as: Int64.self)
                let nanoseconds = Int64(bytes.load(fromByteOffset: 88, as: UInt32.self))
                return seconds &* 1_000_000_000 &+ nanoseconds
            }
        }
    #else
        private static func fileSystemUUID(_ descriptor: CInt) -> String? { nil }

        private static func hasLastingInodes(_ descriptor: CInt) -> Bool { true }

        private static func birth(of path: String) -> Int64? {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            return Int64(status.st_birthtimespec.tv_sec) &* 1_000_000_000 &+ Int64(status.st_birthtimespec.tv_nsec)
        }
    #endif
}
