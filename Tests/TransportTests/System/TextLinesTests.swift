import Testing

@testable import Transport

struct TextLinesTests {
    @Test(
        arguments: [
            ("", [""]), ("a", ["a"]), ("a\n", ["a", ""]), ("a\r\nb", ["a", "b"]), ("a\n\r\nb", ["a", "", "b"]),
            ("a\r", ["a"]), ("a\n\r", ["a", ""]), ("a\r\r\nb\r\r", ["a", "b"]), ("a\rb\n", ["a\rb", ""]),
        ] as [(String, [String])]
    )
    func `Lines end in a line feed, with carriage returns before it or not`(text: String, lines: [String]) {
        #expect(TextLines.split(text) == lines)
    }

    @Test(arguments: ["host\n\r", "host\r", "host:1\r\r\nother\r", "# note\r\r\n\r", "\u{0}\n\r"])
    func `Files that are written read as the same again`(text: String) {
        let peers = PeersFile(parsing: text)
        #expect(PeersFile(parsing: peers.text) == peers)
        let settings = SettingsFile(parsing: text)
        #expect(SettingsFile(parsing: settings.text) == settings)
    }
}
