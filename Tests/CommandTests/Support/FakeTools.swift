import Foundation

/// `systemctl` and `loginctl` as a test wants them: each writes down how it was called.
final class FakeTools {
    private let folder: ShortFolder
    private var calls: String { folder.file("calls") }

    init() throws {
        folder = try ShortFolder()
        try Data().write(to: URL(fileURLWithPath: calls))
    }

    /// A tool that writes down its words, and then does what the script says.
    func put(_ name: String, _ script: String) throws {
        let text = "#!/bin/sh\necho \(name) \"$@\" >> \(calls)\n\(script)\n"
        try Script.write(text, to: folder.file(name))
    }

    /// Both, as on a machine with systemd; `linger` is yes, no, or something else.
    func putSystemd(linger: String) throws {
        try put("systemctl", "case \"$2\" in is-active) echo active;; is-enabled) echo enabled;; esac")
        try put("loginctl", "echo Linger=\(linger)")
    }

    /// Only these tools, and a shell.
    var path: String { folder.path + ":/bin" }

    func take() throws -> [String] {
        let lines = try folder.read("calls").split(separator: "\n").map(String.init)
        try Data().write(to: URL(fileURLWithPath: calls))
        return lines
    }
}
