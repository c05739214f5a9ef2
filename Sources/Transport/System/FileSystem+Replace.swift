#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Files that are written anew as a whole.
extension FileSystem {
    /// Replaces a text file that people edit; if it is a link, replaces its target.
    ///
    /// - Throws: `ENOENT` for a link that leads nowhere, which stays: its target may be on a disk that is away; what
    ///   `resolved` throws.
    static func replaceText(_ path: String, with text: String) throws(SystemError) {
        let file = try resolved(path)
        if file == nil, facts(ofItself: path)?.isLink == true {
            throw SystemError(call: "open", path: path, code: ENOENT)
        }
        try replace(file ?? path, with: text)
    }

    /// Replaces a file atomically, 0600: after a crash it holds all of the old bytes or all of the new ones. Writes a
    /// temporary sibling, `fsync`, `rename`, `fsync` of the directory.
    ///
    /// Removes the siblings that writers of the same file left when they were killed. Whoever writes a file holds its
    /// lock; where there is none, a sibling in use is known by the lock on itself.
    ///
    /// - Throws: `EAGAIN` if others took each sibling for a leftover before it was locked; what the calls say.
    static func replace(_ path: String, with bytes: UnsafeRawBufferPointer) throws(SystemError) {
        removeRemains(of: path)
        for attempt in 1... {
            if try replaceOnce(path, with: bytes) { break }
            guard attempt < replaceAttempts else { throw SystemError(call: "flock", path: path, code: EAGAIN) }
        }
        try synchronizeDirectory(of: path)
    }

    /// More than there are processes that remove leftovers of one file at once; a guess.
    private static let replaceAttempts = 5

    /// Writes and renames one temporary sibling; false if somebody took it for a leftover before it was locked.
    private static func replaceOnce(_ path: String, with bytes: UnsafeRawBufferPointer) throws(SystemError) -> Bool {
        let temporary = path + remainsMark + TemporaryName.number()
        do throws(SystemError) {
            let file = try OpenFile(temporary, for: .createPrivate)
            // Nil: no locks here, so nobody removes it either.
            let isLocked = try? file.tryLockSoon()
            guard isLocked != false, facts(ofItself: temporary)?.isSameFile(as: try file.facts()) == true else {
                unlink(temporary)
                return false
            }
            try file.write(bytes)
            try file.synchronize()
            try rename(temporary, to: path)
            return true
        } catch {
            unlink(temporary)
            throw error.path == temporary ? SystemError(call: error.call, path: path, code: error.code) : error
        }
    }

    private static let remainsMark = ".new-"

    /// Whether a file has a name that `replace` gives its temporary files.
    static func isRemains(_ name: String) -> Bool { TemporaryName.ends(name, with: remainsMark) }

    /// Removes the temporary files of `replace` that nobody has locked, wiped first: they may hold keys. The number
    /// tells them from a person's own copy, such as `config.new-20251128`, which may have the same permissions.
    private static func removeRemains(of path: String) {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (folder, name) = (String(path[..<end]), String(path[end...]) + remainsMark)
        for other in (try? names(in: folder.isEmpty ? "." : folder)) ?? []
        where isRemains(other) && other.utf8.count == name.utf8.count + TemporaryName.digits
            && other.utf8.starts(with: name.utf8)
        {
            let remains = folder + other
            guard let found = facts(ofItself: remains), found.isRegular, found.owner == user,
                // 0700: a file system without permissions.
                [0o600, 0o700].contains(found.permissions), let file = try? OpenFile(remains, for: .overwrite),
                // Its writer may have given it its name since: then it is the file itself.
                (try? file.tryLock()) == true, let opened = try? file.facts(),
                facts(ofItself: remains)?.isSameFile(as: opened) == true
            else { continue }
            try? file.wipe()
            try? remove(remains)
        }
    }

    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try replace(path, with: bytes) }
        }.get()
    }

    static func replace(_ path: String, with text: String) throws(SystemError) {
        try Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(SystemError) in try replace(path, with: bytes) }
        }.get()
    }
}
