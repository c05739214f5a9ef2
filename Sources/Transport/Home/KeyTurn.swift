#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The right to put another file in the place of `device.key`: `lock` works a second on the one it has read, beside a node
/// that holds the home's lock, and must not write over a key that came meanwhile.
final class KeyTurn: Sendable {
    /// Longer than any derivation of a key takes; a guess.
    private static let patienceMilliseconds: UInt64 = 30_000

    private let file: OpenFile

    /// Waits for whoever has it; `HomeError.busy` after half a minute.
    init(_ layout: HomeLayout) throws(HomeError) {
        let file = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.keyTurn, for: .lock) }
        let deadline = SystemClock.monotonicMilliseconds + Self.patienceMilliseconds
        while try !HomeError.wrap({ () throws(SystemError) in try file.tryLock() }) {
            guard SystemClock.monotonicMilliseconds < deadline else { throw .busy(process: nil) }
            usleep(10_000)
        }
        self.file = file
    }
}
