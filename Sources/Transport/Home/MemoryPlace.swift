internal import Entries
internal import Sodium

/// Where an opened key lies until the machine restarts: a directory of this user's alone, in a file system that has no disk.
package struct MemoryPlace: Hashable, Sendable {
    /// What the system provides; it must be there.
    let root: String
    /// What this program makes in it, 0700.
    let directory: String

    /// `$XDG_RUNTIME_DIR`, where a session manager made one; where it makes them, for whoever is started without that variable,
    /// as by cron, and has to find what a session left; and `/dev/shm`.
    static func standard(runtime: String?) -> [MemoryPlace] {
        var roots = [runtime].compactMap(\.self).filter { $0.hasPrefix("/") }
        let usual = "/run/user/\(FileSystem.user)"
        if !roots.contains(usual) { roots.append(usual) }
        return roots.map { MemoryPlace(root: $0, directory: $0 + "/scurry") }
            + [MemoryPlace(root: "/dev/shm", directory: "/dev/shm/scurry-\(FileSystem.user)")]
    }

    /// The directory if it may hold a secret; nil where it is absent, on a disk, or somebody else's.
    var usableDirectory: String? {
        guard MountTable.current().type(of: root).map(MountTable.isMemory) == true,
            FileSystem.exists(directory), (try? Privacy.checkPrivateDirectory(directory)) != nil
        else { return nil }
        return directory
    }

    /// Whether the directory is this user's, whatever may have become of it; what others made in its place holds no key.
    var isOwn: Bool {
        guard let facts = FileSystem.facts(ofItself: directory) else { return false }
        return facts.isDirectory && facts.owner == FileSystem.user
    }

    /// Makes the directory; nil where that cannot be, or somebody else has made it.
    func make() -> String? {
        guard MountTable.current().type(of: root).map(MountTable.isMemory) == true else { return nil }
        try? FileSystem.makeDirectories(directory)
        return usableDirectory
    }
}

extension HomeLayout {
    /// Whether an opened key may lie anywhere.
    package var hasMemoryPlace: Bool {
        memory.contains { $0.make() != nil }
    }

    /// A name for this home where several share a directory; nothing secret, nothing signed.
    var shortName: String {
        Base32.encode(Array(SHA256.hash(Array(data.utf8)).bytes.prefix(10)))
    }

    /// The opened key's file, in each of the places.
    func openedKey(in directory: String) -> String { "\(directory)/\(shortName).key" }
}
