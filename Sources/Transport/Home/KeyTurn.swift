/// The lock for replacing `device.key`: `lock` takes a second between reading and writing it, beside a node that holds
/// the home's lock, and must not overwrite a key that came meanwhile.
final class KeyTurn: Sendable {
    private let file: OpenFile

    /// Takes the lock; throws `HomeError.busy` after half a minute.
    init(_ layout: HomeLayout) throws(HomeError) {
        let file = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.keyTurn, for: .lock) }
        let isTaken = try HomeError.wrap { () throws(SystemError) in
            try file.lock(patience: TransportLimits.keyPatienceMilliseconds)
        }
        guard isTaken else { throw .busy(process: nil) }
        self.file = file
    }
}
