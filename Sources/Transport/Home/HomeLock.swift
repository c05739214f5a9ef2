#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to write in a home: one process has it at a time (`flock` on the file `lock`), until it lets go or dies.
///
/// The file says which process has it, and where that id means something, for the error message of the next one.
package final class HomeLock: Sendable {
    private let file: OpenFile

    /// Takes the lock, or waits some milliseconds for whoever has it: a command has it for a moment only. After that it
    /// throws `HomeError.busy` with the id of the process that has it; `.system` with ENOLCK where locks are refused, or hold
    /// nobody off.
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
        // On a full disk the lock is held all the same.
        try? file.overwrite("\(FileSystem.process) \(Self.world)\n")
        self.file = file
    }

    /// The process that wrote its id last; nil if that was on another machine, before this start of it, or in another
    /// container: somebody else has that id here.
    static func holder(_ layout: HomeLayout) -> Int32? {
        guard let bytes = try? FileSystem.read(layout.lock, limit: 256) else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        // Earlier versions wrote the id alone.
        guard words.count < 2 || words[1] == world else { return nil }
        return words.first.flatMap { Int32($0) }
    }

    /// Within which process ids are unique: a start of a machine, and a namespace of it; `-` where the system does not say.
    private static var world: String {
        let boot = (try? FileSystem.readStream("/proc/sys/kernel/random/boot_id", limit: 64)) ?? []
        let start = String(decoding: boot, as: UTF8.self).filter { !$0.isWhitespace }
        let parts = [start, FileSystem.target(ofLink: "/proc/self/ns/pid") ?? ""].filter { !$0.isEmpty }
        return parts.isEmpty ? "-" : parts.joined(separator: "/")
    }
}
