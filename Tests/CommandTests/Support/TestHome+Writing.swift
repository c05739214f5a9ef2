import Entries
import Transport

extension TestHome {
    /// Writes what this program would refuse to, and another client may write.
    func write(_ payload: Payload) throws {
        _ = try Writer(Home(opening: HomeLayout(directory: path))).write(payload)
    }
}
