import Foundation

/// Vectors: the published ones lie beside the repository in `shared/vectors` and are never copied into it.
enum Vectors {
    /// False when the folder is absent: that skips a test, unless `CI` is set, where the test then fails to load.
    static let areExpected: Bool = {
        if folder != nil || ProcessInfo.processInfo.environment["CI"] != nil { return true }
        print("shared/vectors is absent: the tests of published vectors are skipped")
        return false
    }()

    static func load<Value: Decodable>(_ type: Value.Type, from name: String) throws -> Value {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }

    /// A file of `protocol/vectors`, which belongs to the project: absent, the test fails.
    static func project<Value: Decodable>(_ type: Value.Type, from name: String) throws -> Value {
        guard let folder = find("protocol/vectors") else { throw CocoaError(.fileNoSuchFile) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }

    private static let folder: URL? = find("shared/vectors")

    private static func find(_ path: String) -> URL? {
        var place = URL(fileURLWithPath: #filePath)
        while place.path != "/" {
            place.deleteLastPathComponent()
            let folder = place.appendingPathComponent(path)
            if FileManager.default.fileExists(atPath: folder.path) { return folder }
        }
        return nil
    }
}

extension [UInt8] {
    /// Bytes from hexadecimal that a test wrote down.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
