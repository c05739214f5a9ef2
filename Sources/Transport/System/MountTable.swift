/// The mounted file systems (`/proc/self/mounts`); empty on a system without that file.
package struct MountTable: Hashable, Sendable {
    private let mounts: [(place: String, type: String)]

    package static func == (left: Self, right: Self) -> Bool {
        left.mounts.map(\.place) == right.mounts.map(\.place) && left.mounts.map(\.type) == right.mounts.map(\.type)
    }

    package func hash(into hasher: inout Hasher) {
        for mount in mounts { hasher.combine(mount.place) }
    }

    package init(parsing text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 3 else { return nil }
            return (Self.unescaped(words[1]), String(words[2]))
        }
    }

    package static func current() -> MountTable {
        let bytes = (try? FileSystem.readStream("/proc/self/mounts", limit: 1_048_576)) ?? []
        return MountTable(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// The file system type of a path: `ext4`, `nfs4`, `tmpfs`; nil if unknown. Follows symbolic links.
    package func type(of path: String) -> String? {
        let path = (try? FileSystem.resolved(path)) ?? path
        var best: (length: Int, type: String)?
        // Of two mounts at one place the later one is visible.
        for mount in mounts where Self.contains(mount.place, path) && mount.place.utf8.count >= best?.length ?? 0 {
            best = (mount.place.utf8.count, mount.type)
        }
        return best?.type
    }

    /// Held in memory: reaches a disk only by swapping.
    package static func isMemory(_ type: String) -> Bool { type == "tmpfs" || type == "ramfs" }

    /// Network file systems and FUSE: locks and shared memory may not reach all processes that have a file open.
    package static func isRemote(_ type: String) -> Bool {
        let known: Set = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph", "glusterfs", "lustre", "gpfs"]
        return known.contains(type) || type.hasPrefix("fuse.") || type == "fuse"
    }

    private static func contains(_ place: String, _ path: String) -> Bool {
        place == "/" || path == place || path.hasPrefix(place + "/")
    }

    /// Decodes octal escapes: a space is `\040`.
    private static func unescaped(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
