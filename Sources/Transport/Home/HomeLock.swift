#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to write in a home: one process has it at a time (`flock` on the file `lock`), until it lets go or dies.
///
/// The file holds the id of the process that has it, for the error message of the next one.
package final class HomeLock: Sendable {
    private let file: OpenFile

    /// Takes the lock, or waits some milliseconds for whoever has it: a command has it for a moment only. After that it
    /// throws `HomeError.busy` with the id of the process that has it.
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
        try HomeError.wrap { () throws(SystemError) in try file.overwrite("\(FileSystem.process)\n") }
        self.file = file
    }

    /// The process that wrote its id last.
    static func holder(_ layout: HomeLayout) -> Int32? {
        guard let bytes = try? FileSystem.read(layout.lock, limit: 32) else { return nil }
        return Int32(String(decoding: bytes, as: UTF8.self).filter { $0.isASCII && $0.isNumber })
    }
}
