import ArgumentParser
import Foundation

/// Options of every measurement.
struct CommonOptions: ParsableArguments {
    @Option(help: "The scurry program; by default the one beside this one.")
    var scurry: String = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/scurry"

    @Option(help: "How many times to measure; the median of each figure is printed.", transform: WholeNumber.atLeastOne)
    var runs = 1

    @Option(help: "Seed of every random choice.")
    var seed: UInt64 = 1

    @Flag(help: "One JSON object instead of lines.")
    var json = false

    /// Measures `runs` times, and prints the medians.
    func report(_ measure: () throws -> Figures) throws {
        try requireProgram()
        let runs = try (0..<max(1, runs)).map { _ in try measure() }
        print(Figures.medians(of: runs).text(json ? .json : .lines))
    }

    func requireProgram() throws {
        guard FileManager.default.isExecutableFile(atPath: scurry) else {
            throw BenchError("no program at \(scurry); build it, or name it with --scurry")
        }
    }

    /// The arguments of a measurement that runs within another one.
    var arguments: [String] { ["--scurry", scurry, "--seed", String(seed)] }
}

/// Amount and size of the posts.
struct SizeOptions: ParsableArguments {
    @Option(help: "Posts in all.", transform: WholeNumber.atLeastOne)
    var posts = 100_000

    @Option(help: "Writers of the posts, each with a log of its own.", transform: WholeNumber.atLeastOne)
    var writers = 1_000

    @Option(help: "Bytes of text in a post.", transform: WholeNumber.atLeastOne)
    var bytes = 200
}

extension MachineLimits {
    init(_ size: SizeOptions) throws {
        try self.init(posts: size.posts, writers: size.writers, bytes: size.bytes)
    }
}
