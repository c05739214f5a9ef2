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
        let isTaken = try HomeError.wrap { () throws(SystemError) in try file.lock(patience: patience) }
        guard isTaken else { throw .busy(process: nil) }
        self.file = file
    }
}
