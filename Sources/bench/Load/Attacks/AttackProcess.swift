import Foundation

/// A `bench attack` process beside this one.
final class AttackProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    /// Starts the process, and returns when the attack is prepared.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["attack"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard try line() == "ready" else { throw BenchError("the attack could not be prepared") }
    }

    deinit {
        stop()
    }

    func begin() throws {
        input.fileHandleForWriting.write(Data("go\n".utf8))
        guard try line() == "begun" else { throw BenchError("the attack did not begin") }
    }

    /// Ends the attack, and returns the figures that the process prints.
    func end() throws -> Figures {
        input.fileHandleForWriting.write(Data("enough\n".utf8))
        return Figures(pairs: try line())
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    func usage() throws -> ProcessUsage { try ProcessUsage.of(process.processIdentifier) }

    private func line() throws -> String {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                return line
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchError("the attack ended") }
            rest += more
        }
    }
}
