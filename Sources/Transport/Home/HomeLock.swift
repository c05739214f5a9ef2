/// The right to write in a home, or a share of the right to read it while nobody writes (`flock` on the file `lock`),
/// held until it is released or the process dies.
///
/// The file names the process that writes, and the scope in which that id is valid, for the error message of another
/// one.
package final class HomeLock: Sendable {
    private let file: OpenFile

    /// Takes the lock alone, waiting up to `patience` milliseconds: a command holds it only for a moment. Throws
    /// `HomeError.busy` with the holder's process id after that; `.system` with ENOLCK where the file system refuses
    /// locks or they exclude nobody.
    package init(_ layout: HomeLayout, patience: UInt64 = 0) throws(HomeError) {
        let file = try HomeLock.taken(layout, patience, for: .writing)
        // The lock holds without the note, as on a full disk.
        try? file.overwrite("\(FileSystem.process) \(Self.world)\n")
        self.file = file
        // Whoever writes may be erasing: a copy that nobody uses must not keep what is erased.
        BackupFiles.removeStaleCopies(from: layout)
    }

    /// Takes a share of the lock, which keeps writers away; waits and throws as for the whole. Changes nothing in the
    /// home but the note, which then names nobody: several have a share, and the last to take one may be gone first.
    init(sharing layout: HomeLayout, patience: UInt64 = 0) throws(HomeError) {
        let file = try HomeLock.taken(layout, patience, for: .reading)
        try? file.overwrite("")
        self.file = file
    }

    private enum Purpose { case writing, reading }

    private static func taken(
        _ layout: HomeLayout,
        _ patience: UInt64,
        for purpose: Purpose
    ) throws(HomeError) -> OpenFile {
        let file = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.lock, for: .lock) }
        let isTaken = try HomeError.wrap { () throws(SystemError) -> Bool in
            switch purpose {
            case .writing: try file.lock(patience: patience)
            case .reading: try file.lockShared(patience: patience)
            }
        }
        guard isTaken else { throw .busy(process: holder(layout)) }
        try HomeError.wrap { () throws(SystemError) in try check(layout.lock) }
        return file
    }

    /// The process id in the lock file; nil if it was written on another machine, before the last boot, or in another
    /// container, where it means another process.
    static func holder(_ layout: HomeLayout) -> Int32? {
        guard let bytes = try? FileSystem.read(layout.lock, limit: 256) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        // Earlier versions wrote only the process id.
        guard words.count < 2 || words[1] == world else { return nil }
        return words.first.flatMap { Int32($0) }
    }

    /// Scope of process ids: the boot id and the PID namespace; `-` where the system tells neither.
    private static var world: String {
        let boot = (try? FileSystem.readStream("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let start = String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace }
        let parts = [start, FileSystem.target(ofLink: "/proc/self/ns/pid") ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? "-" : parts.joined(separator: "/")
    }
}
