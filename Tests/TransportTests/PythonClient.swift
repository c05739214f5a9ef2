import Foundation
import Synchronization
import Testing

@testable import Transport

/// The client of `Tests/Interoperability`, in a Python environment of its own.
struct PythonClient: Sendable {
    private let python: URL

    /// False, and said so, where there is no Python with the client's packages and `CI` is not set.
    static let isExpected: Bool = {
        if ProcessInfo.processInfo.environment["CI"] != nil { return true }
        switch installation {
        case .success: return true
        case .failure(let error):
            print("the tests against the second client are skipped: \(error)")
            return false
        }
    }()

    enum Failure: Error {
        case noPython
        case failed([String], status: Int32, String)
    }

    /// Makes the environment, once for a list of requirements: it lies in the temporary directory and is kept.
    ///
    /// - Throws: `Failure` where there is no Python, or its packages cannot be had.
    static func installed() async throws -> PythonClient {
        try await blocking { try installation.get() }
    }

    private static let installation: Result<PythonClient, any Error> = Result {
        guard let python = find("python3") else { throw Failure.noPython }
        let requirements = try Data(contentsOf: folder.appendingPathComponent("requirements.txt"))
        let name = "scurry-python-" + requirements.prefix(64).map { String($0 % 36, radix: 36) }.joined()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        let own = place.appendingPathComponent("bin/python3")
        let client = PythonClient(python: own)
        if (try? client.check(["-c", "import nacl, noise"])) == nil {
            _ = try PythonClient(python: python).check(["-m", "venv", "--clear", place.path])
            _ = try client.check(["-m", "pip", "install", "--quiet", "-r", "requirements.txt"])
        }
        return client
    }

    /// Runs one action to its end.
    func run(_ arguments: [String]) async throws -> Told {
        let output = try await blocking { try check(["-m", "scurry_client"] + arguments) }
        let told = try JSONDecoder().decode(Told.self, from: Data(output.utf8))
        #expect(told.ok, "\(output)")
        return told
    }

    /// Runs one action to its end, whatever that is.
    func runToAnyEnd(_ arguments: [String]) async throws -> Told {
        let ended = try await blocking { try end(of: ["-m", "scurry_client"] + arguments) }
        do {
            return try JSONDecoder().decode(Told.self, from: ended.output)
        } catch {
            throw ended.failure(arguments)
        }
    }

    /// Runs the client's own tests; the answer is how many were run.
    func testItself() async throws -> Int {
        let ended = try await blocking { try end(of: ["-m", "unittest", "test_self"]) }
        let said = String(decoding: ended.errors, as: UTF8.self)
        guard ended.status == 0 else { throw ended.failure(["test_self"]) }
        return said.split(whereSeparator: \.isNewline).compactMap { line in
            line.hasPrefix("Ran ") ? line.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
        }.last ?? 0
    }

    func start(_ arguments: [String]) throws -> Running {
        try Running(process(["-m", "scurry_client"] + arguments))
    }

    /// The least client, which is another program (`protocol/client.md`).
    func startLeaf(_ address: String, network: String, home: String) throws -> Running {
        try Running(process(["leaf.py", address, network, home]))
    }

    /// A client that goes on while a test does other things.
    final class Running: Sendable {
        private let process: Process
        private let input = Pipe()
        private let output = Pipe()

        fileprivate init(_ process: Process) throws {
            self.process = process
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        func type(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// Nothing more is typed: waits until the client has ended by itself, and returns its status.
        func endOfInput() async throws -> Int32 {
            try input.fileHandleForWriting.close()
            return try await blocking { [process] in
                process.waitUntilExit()
                return process.terminationStatus
            }
        }

        /// Its next line.
        func line<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
            let handle = output.fileHandleForReading
            return try await blocking {
                var line = Data()
                while let byte = try handle.read(upToCount: 1), let first = byte.first, first != UInt8(ascii: "\n") {
                    line.append(first)
                }
                return try JSONDecoder().decode(type, from: line)
            }
        }

        func end() {
            if process.isRunning { process.terminate() }
        }
    }

    private func process(_ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = python
        process.arguments = arguments
        process.currentDirectoryURL = Self.folder
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        process.environment = environment
        return process
    }

    /// Runs to the end; blocks.
    private func check(_ arguments: [String]) throws -> String {
        let ended = try end(of: arguments)
        guard ended.status == 0 else { throw ended.failure(arguments) }
        return String(decoding: ended.output, as: UTF8.self)
    }

    private struct Ended {
        let status: Int32
        let output: Data
        let errors: Data

        func failure(_ arguments: [String]) -> Failure {
            .failed(arguments, status: status, String(decoding: output + errors, as: UTF8.self))
        }
    }

    /// Both streams are read at once: a program that fills the one that nobody reads would never end.
    private func end(of arguments: [String]) throws -> Ended {
        let process = process(arguments)
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let complaint = Mutex(Data())
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) {
            let read = errors.fileHandleForReading.readDataToEndOfFile()
            complaint.withLock { $0 = read }
        }
        let said = output.fileHandleForReading.readDataToEndOfFile()
        reading.wait()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: said, errors: complaint.withLock { $0 })
    }

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Interoperability")

    private static func find(_ program: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

extension [UInt8] {
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    init(hexadecimal: String) {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
