import Foundation

/// Lines that are no result: the command of each trial, printed before anything can end the program.
enum StandardError {
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
