#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Sodium

/// An open file, closed at the end of its scope: thin wrappers of C functions that succeed or throw `SystemError`.
struct OpenFile: ~Copyable, Sendable {
    let path: String
    let descriptor: CInt

    enum Purpose {
        case read
        /// As `read`, for a file that people edit: links are followed, and `/dev/null` is an empty file.
        case readLinked
        /// A file named by a person, which may be a pipe: links are followed, and a pipe is waited for.
        case readAnywhere
        /// A new file: `O_CREAT | O_EXCL`, mode 0600.
        case createPrivate
        /// An existing file, or a new one with mode 0600.
        case lock
        case directory
        /// An existing file, to overwrite its bytes.
        case overwrite

        /// Whether only a regular file will do.
        fileprivate var takesFilesOnly: Bool {
            switch self {
            case .read, .readLinked, .lock, .overwrite: true
            case .readAnywhere, .createPrivate, .directory: false
            }
        }
    }

    /// `open`; refuses a symbolic link as the last component except for `readLinked` and `readAnywhere`; child
    /// processes do not inherit the descriptor.
    ///
    /// Where only a file will do, O_NONBLOCK keeps `open` from waiting for the other end of a pipe; reads and writes of
    /// files do not heed it.
    ///
    /// - Throws: `SystemError.noFile` for a pipe, directory or device where only a file will do, except `/dev/null` for
    ///   `readLinked`; and what `open` says.
    init(_ path: String, for purpose: Purpose) throws(SystemError) {
        let flags: CInt =
            switch purpose {
            case .read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .readLinked: O_RDONLY | O_NONBLOCK
            case .readAnywhere: O_RDONLY
            case .createPrivate: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
            case .lock: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
            case .directory: O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            case .overwrite: O_WRONLY | O_NOFOLLOW | O_NONBLOCK
            }
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path) }
        let isEmpty = purpose == .readLinked && NullDevice.isOpen(descriptor)
        guard !purpose.takesFilesOnly || isEmpty || Self.isFile(descriptor) else {
            close(descriptor)
            throw SystemError.noFile(path)
        }
        self.path = path
        self.descriptor = descriptor
    }

    /// Takes ownership of an open descriptor.
    init(adopting descriptor: CInt, path: String) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// `fstat`.
    func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path) }
        return FileFacts(status)
    }

    /// `fsync`.
    func synchronize() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path) }
    }

    /// `read` until `buffer` is full or the file ends, after `poll` on a non-blocking stream; returns the number of
    /// bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = readOnce(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    _ = poll(&waiting, 1, -1)
                    continue
                default: throw SystemError("read", path)
                }
            }
            filled += count
        }
        return filled
    }

    /// `write` until all bytes are written.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeOnce(UnsafeRawBufferPointer(rebasing: rest))
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// `flock` without waiting; false if another open file has the lock.
    func tryLock() throws(SystemError) -> Bool {
        try tryLock(LOCK_EX)
    }

    /// `flock`, shared, without waiting; false if another open file has the lock alone.
    func tryLockShared() throws(SystemError) -> Bool {
        try tryLock(LOCK_SH)
    }

    private func tryLock(_ operation: CInt) throws(SystemError) -> Bool {
        while flock(descriptor, operation | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw SystemError("flock", path) }
        }
        return true
    }

    /// `tryLock`, again and again for up to `patience` milliseconds.
    func lock(patience: UInt64) throws(SystemError) -> Bool {
        try lock(LOCK_EX, patience)
    }

    /// `tryLockShared`, again and again for up to `patience` milliseconds.
    func lockShared(patience: UInt64) throws(SystemError) -> Bool {
        try lock(LOCK_SH, patience)
    }

    /// `lock` for a tenth of a second, which is longer than anybody has the lock who removes a leftover.
    func tryLockSoon() throws(SystemError) -> Bool { try lock(patience: 100) }

    private func lock(_ operation: CInt, _ patience: UInt64) throws(SystemError) -> Bool {
        let deadline = SystemClock.monotonicMilliseconds + patience
        while try !tryLock(operation) {
            guard SystemClock.monotonicMilliseconds < deadline else { return false }
            // Far less than a person notices.
            usleep(5_000)
        }
        return true
    }

    /// `fcntl(F_SETLK)`, a write lock of the whole file, as SQLite uses; closing any descriptor of the file releases
    /// it.
    func lockRecord() throws(SystemError) {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        while fcntl(descriptor, F_SETLK, &lock) != 0 {
            if errno != EINTR { throw SystemError("fcntl", path) }
        }
    }

    /// Replaces the content (`ftruncate`, `pwrite`); not durable: for a lock's note.
    func overwrite(_ text: String) throws(SystemError) {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw SystemError("pwrite", path)
        }
    }

    /// Overwrites the beginning of the file (`pwrite`), without truncating it.
    func put(_ bytes: [UInt8]) throws(SystemError) {
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw SystemError("pwrite", path) }
    }

    /// Overwrites the file with zeros (`pwrite`, `fsync`), up to `TransportLimits.wipedBytes`: for small files,
    /// such as keys.
    func wipe() throws(SystemError) {
        let zeros = [UInt8](repeating: 0, count: min(try facts().size, TransportLimits.wipedBytes))
        guard pwrite(descriptor, zeros, zeros.count, 0) == zeros.count else { throw SystemError("pwrite", path) }
        try synchronize()
    }

    /// Whether a regular file is open; on the descriptor, so that it cannot be swapped meanwhile.
    private static func isFile(_ descriptor: CInt) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && FileFacts(status).isRegular
    }

    private func readOnce(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private func writeOnce(_ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}

/// Metadata of a file (`stat`).
struct FileFacts: Hashable, Sendable {
    let owner: UInt32
    /// The nine permission bits.
    let permissions: UInt32
    let isDirectory: Bool
    /// A regular file.
    let isRegular: Bool
    /// A symbolic link, of which `lstat` alone tells.
    let isLink: Bool
    let size: Int
    /// Seconds since 1970.
    let modified: Int64
    private let device: UInt64
    private let inode: UInt64

    func isSameFile(as other: FileFacts) -> Bool { device == other.device && inode == other.inode }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        owner = status.st_uid
        permissions = UInt32(status.st_mode) & 0o777
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isLink = status.st_mode & S_IFMT == S_IFLNK
        #if canImport(Glibc)
            modified = Int64(status.st_mtim.tv_sec)
        #else
            modified = Int64(status.st_mtimespec.tv_sec)
        #endif
        size = Int(status.st_size)
    }
}
