internal import Foundation

/// Cases with verdicts, looked for upwards from this file: the project's own in `protocol/vectors`, and published ones
/// in `shared/vectors`, which lies beside the repository and is never copied into it.
package enum Vectors {
    /// False when the published ones are absent: that skips a test, unless `CI` is set, where the test then fails to
    /// load.
    package static let areExpected: Bool = {
        if find("shared/vectors") != nil || ProcessInfo.processInfo.environment["CI"] != nil { return true }
        print("shared/vectors is absent: the tests of published vectors are skipped")
        return false
    }()

    /// How the names in a file become those of the Swift type.
    package enum Keys {
        case asWritten
        case inCamelCase
    }

    package static func published<Cases: Decodable>(_ name: String, as type: Cases.Type = Cases.self) throws -> Cases {
        try load("shared/vectors/\(name)", as: type, keys: .asWritten)
    }

    package static func own<Cases: Decodable>(
        _ name: String,
        as type: Cases.Type = Cases.self,
        keys: Keys = .asWritten
    ) throws -> Cases {
        try load("protocol/vectors/\(name)", as: type, keys: keys)
    }

    private static func load<Cases: Decodable>(
        _ path: String,
        as type: Cases.Type,
        keys: Keys
    ) throws -> Cases {
        guard let file = find(path) else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: path]) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy =
            switch keys {
            case .asWritten: .useDefaultKeys
            case .inCamelCase: .convertFromSnakeCase
            }
        return try decoder.decode(type, from: Data(contentsOf: file))
    }

    private static func find(_ path: String) -> URL? {
        var place = URL(fileURLWithPath: #filePath)
        while place.path != "/" {
            place.deleteLastPathComponent()
            let file = place.appendingPathComponent(path)
            if FileManager.default.fileExists(atPath: file.path) { return file }
        }
        return nil
    }
}
