import Foundation
import Transport

/// A run of the scurry program, from the start of its process to the last byte of its output.
struct ProgramStart {
    private let program: String
    private let home: TemporaryHome?

    /// `home` is nil for commands that need none.
    init(_ common: CommonOptions, _ home: TemporaryHome?) {
        program = common.scurry
        self.home = home
    }

    func output(_ arguments: [String]) throws -> Data {
        try run(arguments).output
    }

    /// The median time of a command.
    func milliseconds(_ arguments: [String], times: Int) throws -> Double {
        try Quantile.of((0..<max(1, times)).map { _ in try run(arguments).seconds * 1_000 }, 0.5)
    }

    private func run(_ arguments: [String]) throws -> (seconds: Double, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        if let home { environment["SCURRY_HOME"] = home.layout.data }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let begun = Stopwatch.now()
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let seconds = Stopwatch.now() - begun
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchError("scurry \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return (seconds, data)
    }
}
