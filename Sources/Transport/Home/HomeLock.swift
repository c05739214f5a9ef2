#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The exclusive right to write in a home (`flock` on the file `lock`), held until it is released or the process dies.
///
/// The file names the process that holds it, and the scope in which that id is valid, for the error message of another
/// one.
package final class HomeLock: Sendable {
    private let file: OpenFile

    /// Takes the lock, waiting up to `patience` milliseconds: a command holds it only for a moment. Throws
    /// `HomeError.busy` with the holder's process id after that; `.system` with ENOLCK where the file system refuses
    /// locks or they exclude nobody.
    package init(_ layout: HomeLayout, patience: UInt64 = 0) throws(HomeError) {
        let file = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.lock, for: .lock) }
        let deadline = SystemClock.monotonicMilliseconds + patience
        while try !HomeError.wrap({ () throws(SystemError) in try file.tryLock() }) {
            guard SystemClock.monotonicMilliseconds < deadline else {
                throw .busy(process: Self.holder(layout))
            }
            // A tenth of what a person notices.
            usleep(10_000)
        }
        try HomeError.wrap { () throws(SystemError) in try Self.check(layout.lock) }
        // The lock holds without the note, as on a full disk.
        try? file.overwrite("\(FileSystem.process) \(Self.world)\n")
        self.file = file
        // Whoever writes may be erasing: a copy that nobody uses must not keep what is erased.
        BackupFiles.removeStaleCopies(from: layout)
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
