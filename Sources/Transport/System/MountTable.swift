/// Which file system a path lies in, as the kernel lists them (`/proc/self/mounts`); empty where there is no such list.
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

    /// `ext4`, `nfs4`, `tmpfs`; nil if nothing is known. Symbolic links are followed.
    package func type(of path: String) -> String? {
        let path = FileSystem.resolved(path) ?? path
        var best: (length: Int, type: String)?
        // Of two mounts at one place the later one is seen.
        for mount in mounts where Self.contains(mount.place, path) && mount.place.utf8.count >= best?.length ?? 0 {
            best = (mount.place.utf8.count, mount.type)
        }
        return best?.type
    }

    /// Nothing of it reaches a disk, but by swapping.
    package static func isMemory(_ type: String) -> Bool { type == "tmpfs" || type == "ramfs" }

    /// Kept by another machine, or by a program: locks and shared memory may not reach everybody who has it open.
    package static func isRemote(_ type: String) -> Bool {
        let known: Set = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "9p", "ceph", "glusterfs", "lustre", "gpfs"]
        return known.contains(type) || type.hasPrefix("fuse.") || type == "fuse"
    }

    private static func contains(_ place: String, _ path: String) -> Bool {
        place == "/" || path == place || path.hasPrefix(place + "/")
    }

    /// Spaces and the like stand there as `\040`.
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
