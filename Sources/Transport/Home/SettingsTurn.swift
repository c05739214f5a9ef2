#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to change the files that people edit, peers and settings: whoever reads one, changes it and writes it back holds
/// it from before the reading, so that two commands at once lose nothing of each other.
package final class SettingsTurn: Sendable {
    /// Longer than hundreds of commands take one after the other; a guess.
    package static let patienceMilliseconds: UInt64 = 10_000

    private let file: OpenFile

    /// A node that stops waits for its own, and one that goes on tries again.
    static let nodePatienceMilliseconds: UInt64 = 500

    /// Waits for whoever has it; `HomeError.busy` after ten seconds, or as long as is said.
    package init(_ layout: HomeLayout, patience: UInt64 = patienceMilliseconds) throws(HomeError) {
        let file = try HomeError.wrap { () throws(SystemError) -> OpenFile in
            // Settings may come before the home.
            try FileSystem.makeDirectories(layout.settings)
            return try OpenFile(layout.settingsTurn, for: .lock)
        }
        let deadline = SystemClock.monotonicMilliseconds + patience
        while try !HomeError.wrap({ () throws(SystemError) in try file.tryLock() }) {
            guard SystemClock.monotonicMilliseconds < deadline else { throw .busy(process: nil) }
            usleep(5_000)
        }
        self.file = file
    }
}
