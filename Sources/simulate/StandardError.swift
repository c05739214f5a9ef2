import Foundation

/// Where a line goes that is no answer: the command that is run, ahead of whatever may end the program.
enum StandardError {
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
