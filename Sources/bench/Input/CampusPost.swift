import Foundation

/// One post of the campus collection: a line of `campus-posts.jsonl.gz`.
struct CampusPost: Decodable, Sendable {
    let channel: String
    /// Unix seconds.
    let created: Double
    let title: String
    let body: String
    let ups: Int
    let downs: Int

    /// Reads a file of JSON lines, or such a file compressed with gzip (which the system's `gzip` opens).
    static func load(_ path: String) throws -> [CampusPost] {
        let data = path.hasSuffix(".gz") ? try gunzip(path) : try Data(contentsOf: URL(fileURLWithPath: path))
        let decoder = JSONDecoder()
        return try data.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(CampusPost.self, from: $0) }
    }

    private static func gunzip(_ path: String) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("gzip could not open \(path)") }
        return data
    }

    /// The channel as the protocol spells one: `[a-z0-9-]{1,32}`.
    var channelName: String {
        let name = channel.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(name.prefix(32))
    }
}
