import Foundation

/// Looks for words in everything that a home has on disk.
enum Words {
    /// The files, wherever below the home, that hold a text as it stands or in UTF-16.
    static func files(in home: TestHome, holding text: String) throws -> [String] {
        let needles = [Data(text.utf8), text.data(using: .utf16LittleEndian) ?? Data()]
        let all = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            // A socket cannot be read, and holds nothing; a file may go meanwhile.
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: home.path + "/" + name)) else { return false }
            return needles.contains { bytes.range(of: $0) != nil }
        }
    }
}
