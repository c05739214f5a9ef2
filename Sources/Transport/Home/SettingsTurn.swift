#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The lock for changing the peers file and the settings (read, modify, write), so that two commands lose nothing of
/// each other.
package final class SettingsTurn: Sendable {
    private let file: OpenFile

    /// Takes the lock; throws `HomeError.busy` after `patience` milliseconds, and `.foreignOwner` before anything is
    /// written.
    package init(
        _ layout: HomeLayout,
        patience: UInt64 = TransportLimits.settingsPatienceMilliseconds
    ) throws(HomeError) {
        // Not left to the home, which need not be there yet.
        try layout.checkOwner()
        let file = try HomeError.wrap { () throws(SystemError) -> OpenFile in
            // Settings may be written before there is a home.
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
