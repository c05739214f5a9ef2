import ArgumentParser
import Storage
import Transport
import Foundation

// usage: bench feed [--posts N] [--writers N] [--starts N] [--runs N] [--json]

struct Feed: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "The reading commands, from the start of the process to the last byte of its output.",
        discussion: "Example: bench feed --posts 100000 --starts 21 --json"
    )

    @Option(help: "How often each command is started; the median counts.")
    var starts = 21

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.report(measure)
    }

    func measure() throws -> Figures {
        let pair = try Pair(size, seed: common.seed)
        let newest = try start(["feed", "--json", "-n", "1"], pair.sender).output
        guard let object = try JSONSerialization.jsonObject(with: newest) as? [String: Any],
            let id = object["id"] as? String
        else { throw BenchError("the feed's JSON has no id") }
        let commands = [
            ("feed", ["feed"]), ("feed_json_100", ["feed", "--json", "-n", "100"]),
            ("feed_before", ["feed", "--before", id]), ("feed_channel", ["feed", "-c", "campus"]),
            ("show", ["show", id]), ("status", ["status"]),
        ]
        var figures = Figures()
        for (name, arguments) in commands {
            let times = try (0..<max(1, starts)).map { _ in try start(arguments, pair.sender).seconds * 1000 }
            figures.add("\(name)_milliseconds", Quantile.of(times, 0.5))
            figures.add("\(name)_max_milliseconds", times.max() ?? 0)
        }
        return figures
    }

    private func start(_ arguments: [String], _ home: TemporaryHome) throws -> (seconds: Double, output: Data) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: common.scurry)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["SCURRY_HOME"] = home.layout.data
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
