#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A sequential source of a bundle's bytes.
package struct BundleSource {
    /// Reads that many bytes; fewer only at the end.
    let read: (Int) throws(SystemError) -> [UInt8]

    init(_ read: @escaping (Int) throws(SystemError) -> [UInt8]) {
        self.read = read
    }

    /// Opens a file named by a person; it may be a link or a pipe.
    package static func file(_ path: String) throws(SystemError) -> BundleSource {
        BundleSource(OpenSource(try OpenFile(path, for: .readAnywhere)))
    }

    package static func standardInput() -> BundleSource {
        BundleSource(OpenSource(OpenFile(adopting: STDIN_FILENO, path: "standard input")))
    }

    private init(_ source: OpenSource) {
        self.init { (count) throws(SystemError) in try source.read(count) }
    }
}

/// Owns the descriptor of a source.
private final class OpenSource {
    private let file: OpenFile

    init(_ file: consuming OpenFile) {
        self.file = file
    }

    func read(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try file.read(into: buffer) }
        }.get()
        if filled < count { bytes.removeLast(count - filled) }
        return bytes
    }
}
