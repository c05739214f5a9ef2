#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// File system calls by path: thin wrappers of C functions that succeed or throw `SystemError`.
package enum FileSystem {
    /// `geteuid`.
    static var user: UInt32 { geteuid() }

    /// `getpid`.
    static var process: Int32 { getpid() }

    /// Makes the directory and its missing parents, each 0700; an existing one is left as it is.
    static func makeDirectories(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let parent = parent(of: path) else { throw SystemError("mkdir", path) }
        try makeDirectories(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir", path) }
    }

    /// The path before the last `/`; nil at the root and for a single name.
    static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        return String(path[..<slash])
    }

    /// `unlink`; does nothing if the file is absent.
    static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path) }
    }

    /// Overwrites a regular file of this user with zeros, then removes it; anything else is only removed.
    static func wipe(_ path: String) throws(SystemError) {
        guard let facts = facts(ofItself: path) else { return }
        if facts.isRegular, facts.owner == user { try openToWipe(path).wipe() }
        try remove(path)
    }

    /// Opens a file to overwrite its bytes, also one of this user's that its owner closed to writing, as what is never
    /// to change.
    static func openToWipe(_ path: String) throws(SystemError) -> OpenFile {
        if let facts = facts(ofItself: path), facts.isRegular, facts.owner == user, facts.permissions & 0o200 == 0 {
            try setPermissions(0o600, of: path)
        }
        return try OpenFile(path, for: .overwrite)
    }

    /// `lstat`; nil if it fails.
    static func facts(ofItself path: String) -> FileFacts? {
        var status = stat()
        return lstat(path, &status) == 0 ? FileFacts(status) : nil
    }

    /// `link`: gives a file another name.
    ///
    /// - Throws: `EEXIST` if the name exists; `EPERM` and others if the file system has no hard links.
    static func link(_ path: String, as name: String) throws(SystemError) {
        #if canImport(Glibc)
            let status = Glibc.link(path, name)
        #else
            let status = Darwin.link(path, name)
        #endif
        guard status == 0 else { throw SystemError("link", name) }
    }

    /// `rename`; durable once the directory is synced.
    static func rename(_ path: String, to target: String) throws(SystemError) {
        #if canImport(Glibc)
            let status = Glibc.rename(path, target)
        #else
            let status = Darwin.rename(path, target)
        #endif
        guard status == 0 else { throw SystemError("rename", target) }
    }

    /// `rmdir`; does nothing if the directory is not empty.
    static func removeIfEmpty(_ path: String) {
        _ = rmdir(path)
    }

    /// `access` with `F_OK`.
    static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    /// `access` with `W_OK`.
    static func isWritable(_ path: String) -> Bool {
        access(path, W_OK) == 0
    }

    /// Whether nothing exists at this path (`access` with `F_OK`).
    ///
    /// - Throws: `EACCES` and others if that cannot be known; `exists` would return false.
    static func isAbsent(_ path: String) throws(SystemError) -> Bool {
        if access(path, F_OK) == 0 { return false }
        let error = SystemError("access", path)
        guard error.isAbsence else { throw error }
        return true
    }

    /// `chmod`.
    static func setPermissions(_ permissions: UInt32, of path: String) throws(SystemError) {
        guard chmod(path, mode_t(permissions)) == 0 else { throw SystemError("chmod", path) }
    }

    /// Reads a file, up to `limit` bytes; nil if it is absent.
    ///
    /// Follows a link only with `readLinked` and `readAnywhere`: where the file is the person's own business.
    static func read(
        _ path: String,
        limit: Int,
        for purpose: OpenFile.Purpose = .read
    ) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            let file = try OpenFile(path, for: purpose)
            let size = min(try file.facts().size, limit)
            var bytes = [UInt8](repeating: 0, count: size)
            let count = try bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(SystemError) in try file.read(into: buffer) }
            }.get()
            return Array(bytes.prefix(count))
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    /// Reads a text file that people edit, which may be a link; nil if it is absent.
    ///
    /// - Throws: `EFBIG` from `limit` bytes on, and `EILSEQ` if it is not UTF-8: a file that was not read whole must
    ///   not be written back.
    static func readText(_ path: String, limit: Int) throws(SystemError) -> String? {
        guard let bytes = try read(path, limit: limit, for: .readLinked) else { return nil }
        guard bytes.count < limit else { throw SystemError(call: "read", path: path, code: EFBIG) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SystemError(call: "read", path: path, code: EILSEQ)
        }
        return text
    }

    /// Reads a file without a known size, as in `/proc`, up to `limit` bytes.
    static func readStream(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let file = try OpenFile(path, for: .read)
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try file.read(into: buffer) }
        }.get()
        return Array(bytes.prefix(count))
    }

    /// `readlink`; nil if it is no link, is not UTF-8, or longer than the kernel's limit.
    static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// `realpath`; nil if it fails.
    ///
    /// - Throws: `SystemError.illegible` for a path that is not UTF-8: repaired, it would be another one.
    static func resolved(_ path: String) throws(SystemError) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        guard let text = String(validatingCString: resolved) else { throw SystemError.illegible(path) }
        return text
    }

    /// `realpath` of the part of the path that exists, followed by the rest.
    ///
    /// - Throws: as `resolved`.
    static func resolvedAsFarAsItIs(_ path: String) throws(SystemError) -> String {
        if let resolved = try resolved(path) { return resolved }
        guard let parent = parent(of: path) else { return path }
        let name = path.utf8.dropFirst(parent.utf8.count)
        let start = try resolvedAsFarAsItIs(parent)
        return (start == "/" ? "" : start) + String(decoding: name, as: UTF8.self)
    }

    /// `fsync` of the directory that holds `path`, which makes a rename or removal durable; the directory may be a
    /// link, as that of the drafts.
    static func synchronizeDirectory(of path: String) throws(SystemError) {
        let place = folder(of: path)
        do throws(SystemError) {
            // With the dot a link is not the last component, and so it is followed.
            let directory = try OpenFile(place + "/.", for: .directory)
            try directory.synchronize()
        } catch {
            throw SystemError(call: error.call, path: place, code: error.code)
        }
    }

    /// As `synchronizeDirectory`, of a place that a person named. One that this user may write to and not read cannot
    /// be opened: that is left out.
    static func synchronizeNamedDirectory(of path: String) throws(SystemError) {
        do throws(SystemError) {
            try synchronizeDirectory(of: path)
        } catch {
            guard error.call == "open", error.code == EACCES else { throw error }
        }
    }

    private static func folder(of path: String) -> String {
        parent(of: path) ?? (path.hasPrefix("/") ? "/" : ".")
    }

    /// `opendir`, `readdir`: the names in a directory, without `.` and `..`, unordered.
    ///
    /// A name that is not UTF-8 is repaired, not left out: a folder that holds only such files is not empty. Its file
    /// cannot be opened or removed by that name; the program itself gives none.
    ///
    /// - Throws: what the calls say, also in the midst: of names that are missing nobody would know.
    package static func names(in path: String) throws(SystemError) -> [String] {
        guard let directory = opendir(path) else { throw SystemError("opendir", path) }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            // The end of the directory leaves it as it is, a failure does not.
            errno = 0
            guard let item = readdir(directory) else {
                guard errno == 0 else { throw SystemError("readdir", path) }
                return names
            }
            // Not copied: the entry is only as long as its name, and ends where the kernel's buffer may end.
            guard let start = item.pointer(to: \.d_name) else { continue }
            let name = String(cString: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
    }
}
