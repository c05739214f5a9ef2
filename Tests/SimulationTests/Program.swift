import Foundation
import Testing

/// `simulate`, as it is built beside the tests.
struct Program {
    let process = Process()
    private let pipe = Pipe()
    private let errors = Pipe()

    init(_ arguments: String...) throws { try self.init(arguments) }

    init(_ arguments: [String]) throws {
        let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places = [runner, CommandLine.arguments.first ?? ""].map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("simulate")
        }
        let program = try #require(places.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = errors
        try process.run()
    }

    /// What it said beside, once it has ended.
    func errorLines() -> [String] {
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// The next line, without its end; nil behind the last.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// All that it prints, line by line; it has ended then.
    func lines() -> [String] {
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
