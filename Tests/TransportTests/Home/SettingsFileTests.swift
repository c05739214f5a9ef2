import Testing

@testable import Transport

struct SettingsFileTests {
    @Test(
        arguments: [
            ("color = # none\n", "color = on # none\n"), ("color =# none\n", "color =on # none\n"),
            ("color = off # none\n", "color = on # none\n"), ("color = a#b\n", "color = on\n"),
        ]
    )
    func `What stands behind a value stays a comment when the value changes`(text: String, changed: String) {
        var file = SettingsFile(parsing: text)
        file.set("color", to: "on")
        #expect(file.text == changed)
        #expect(SettingsFile(parsing: file.text).settings.map(\.value) == ["on"])
    }
}
