import Foundation

/// Scripts that a test lets the program run: editors, system tools.
enum Script {
    /// Writes a script that can be executed from then on.
    ///
    /// A shell writes it. What this process has open for writing, another test's child has open too until it executes
    /// its own program; and Linux executes no file that somebody has open for writing (`ETXTBSY`, execve(2)).
    static func write(_ text: String, to path: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\"", "sh", text, path]
        try shell.run()
        shell.waitUntilExit()
        guard shell.terminationStatus == 0 else { throw Unwritten(path: path) }
    }

    private struct Unwritten: Error {
        let path: String
    }
}
