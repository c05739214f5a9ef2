import Foundation
import Testing

/// Where vectors lie: looked for upwards from this file.
enum Vectors {
    /// A file of `protocol/vectors`, which belongs to the project: absent, the test fails.
    static func own<Cases: Decodable>(_ name: String, as type: Cases.Type = Cases.self) throws -> Cases {
        let file = try #require(find("protocol/vectors/\(name)"))
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }

    /// A published file of `shared/vectors`, which is no part of the project.
    ///
    /// Absent, says so and gives nil; with `CI` set that is a failure.
    static func published<Cases: Decodable>(_ name: String, as type: Cases.Type = Cases.self) throws -> Cases? {
        guard let file = find("shared/vectors/\(name)") else {
            print("skipped: no shared/vectors/\(name) above \(#filePath)")
            if ProcessInfo.processInfo.environment["CI"] != nil {
                Issue.record("shared/vectors/\(name) is absent, and CI is set")
            }
            return nil
        }
        return try JSONDecoder().decode(type, from: Data(contentsOf: file))
    }

    private static func find(_ path: String) -> URL? {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent(path)
            if FileManager.default.fileExists(atPath: file.path) { return file }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }
}
