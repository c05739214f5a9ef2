#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to write in a home, or a share of the right to read it while nobody writes (`flock` on the file `lock`),
/// held until it is released or the process dies.
///
/// The file names the process that writes, the scope in which that id is valid, and whether it is a node that takes
/// commands, for the error message of another one.
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

    /// What the note says of the holder.
    enum Role {
        /// A command, or a node that starts or ends: it is over in a moment.
        case passing
        /// A node that takes commands.
        case node
    }

    /// Says in the note what the holder is from now on. The notes have one length, and are written in place: on a full
    /// disk one that was cut off might not come back.
    func note(_ role: Role) {
        let word =
            switch role {
            case .passing: "    "
            case .node: "node"
            }
        try? file.put(Array("\(FileSystem.process) \(Self.world) \(word)\n".utf8))
    }

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
    static func holder(_ layout: HomeLayout) -> Int32? { noted(in: layout)?.process }

    /// The process id of a node that has the lock and takes commands, as far as its note says so; nil: none has. Notes
    /// of earlier versions say so of none.
    static func node(_ layout: HomeLayout) -> Int32? {
        // A note outlives a process that was killed, and is another one's only after that has taken the lock.
        guard let noted = noted(in: layout), case .node = noted.role, kill(noted.process, 0) == 0, isHeld(layout) else {
            return nil
        }
        return noted.process
    }

    /// Whether somebody has the lock alone; to be known it is shared for a moment.
    private static func isHeld(_ layout: HomeLayout) -> Bool {
        do throws(SystemError) {
            let file = try OpenFile(layout.lock, for: .read)
            return try !file.tryLockShared()
        } catch {
            return false
        }
    }

    private static func noted(in layout: HomeLayout) -> (process: Int32, role: Role)? {
        guard let bytes = try? FileSystem.read(layout.lock, limit: 256) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        // Earlier versions wrote only the process id.
        guard words.count < 2 || words[1] == world, let process = words.first.flatMap({ Int32($0) }) else { return nil }
        return (process, words.count > 2 && words[2] == "node" ? .node : .passing)
    }

    /// Scope of process ids: the boot id and the PID namespace; `-` where the system tells neither.
    private static var world: String {
        let boot = (try? FileSystem.readStream("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let start = String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace }
        let parts = [start, FileSystem.target(ofLink: "/proc/self/ns/pid") ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? "-" : parts.joined(separator: "/")
    }
}
