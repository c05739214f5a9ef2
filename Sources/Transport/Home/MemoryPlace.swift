internal import Entries
internal import Sodium

/// A directory for an opened key until the next boot: this user's alone, in a memory file system.
package struct MemoryPlace: Hashable, Sendable {
    /// The system's directory, which must exist.
    let root: String
    /// This program's directory in it, 0700.
    let directory: String

    /// `$XDG_RUNTIME_DIR`; the usual path of that, for a process started without the variable, as by cron, that looks
    /// for a session's key; and `/dev/shm`.
    static func standard(runtime: String?) -> [MemoryPlace] {
        // A name with a line break could not be noted (`OpenedPlaces`).
        var roots = [runtime].compactMap(\.self).filter { $0.hasPrefix("/") && !$0.utf8.contains(UInt8(ascii: "\n")) }
        let usual = "/run/user/\(FileSystem.user)"
        if !roots.contains(usual) { roots.append(usual) }
        return roots.map { MemoryPlace(root: $0, directory: $0 + "/scurry") }
            + [MemoryPlace(root: "/dev/shm", directory: "/dev/shm/scurry-\(FileSystem.user)")]
    }

    /// The directory if it may hold a secret; nil if it is absent, on a disk, or another user's.
    var usableDirectory: String? {
        guard MountTable.current().type(of: root).map(MountTable.isMemory) == true,
            FileSystem.exists(directory), (try? Privacy.checkPrivateDirectory(directory)) != nil
        else { return nil }
        return directory
    }

    /// Whether this user owns the directory, whatever its permissions are now; another user's holds no key.
    var isOwn: Bool {
        guard let facts = FileSystem.facts(ofItself: directory) else { return false }
        return facts.isDirectory && facts.owner == FileSystem.user
    }

    /// Makes the directory; nil if that fails, or another user owns it.
    func make() -> String? {
        guard MountTable.current().type(of: root).map(MountTable.isMemory) == true else { return nil }
        try? FileSystem.makeDirectories(directory)
        return usableDirectory
    }
}

extension HomeLayout {
    /// Makes a directory for an opened key in the first place that can have one; false if none can.
    package func makeMemoryPlace() -> Bool {
        memory.contains { $0.make() != nil }
    }

    /// A name for this home in shared directories; neither secret nor signed.
    var shortName: String {
        Base32.encode(Array(SHA256.hash(Array(data.utf8)).bytes.prefix(10)))
    }

    /// Path of the opened key in one of the places.
    func openedKey(in directory: String) -> String { "\(directory)/\(shortName).key" }
}
