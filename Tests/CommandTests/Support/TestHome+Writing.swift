import Entries
import Testing
import Transport

extension TestHome {
    /// Writes what this program would refuse to, and another client may write.
    func write(_ payload: Payload) throws {
        _ = try Writer(Home(opening: HomeLayout(directory: path))).write(payload)
    }
}

extension TestHome {
    /// A home of another network than the tests'.
    static func elsewhere(name: String) throws -> TestHome {
        let home = try TestHome()
        let words = home.folder.file("words")
        try home.succeed("init", "--name", name, "--network", "elsewhere", "--words-to", words)
        return home
    }
}
