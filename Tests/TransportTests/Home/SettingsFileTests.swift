import Testing

@testable import Transport

struct SettingsFileTests {
    @Test(
        arguments: [
            ("color = # none\n", "color = on # none\n"), ("color =# none\n", "color =on # none\n"),
            ("color = off # none\n", "color = on # none\n"), ("color = a#b\n", "color = on\n"),
        ]
    )
    func `What stands behind a value stays a comment when the value changes`(text: String, changed: String) throws {
        var file = SettingsFile(parsing: text)
        try file.set("color", to: "on")
        #expect(file.text == changed)
        #expect(SettingsFile(parsing: file.text).settings.map(\.value) == ["on"])
    }

    @Test(arguments: ["a\nb", "a\r\nb", "on\r", "\n"])
    func `A value of several lines is refused, and nothing is changed`(value: String) {
        var file = SettingsFile(parsing: "color = off\n")
        for key in ["color", "log"] {
            #expect(throws: SettingsFile.LineBreak.self) { try file.set(key, to: value) }
        }
        #expect(file.text == "color = off\n")
    }
}
