import Foundation
import Transport

/// Notices that a running node has committed something, for a hundredth of what a question to its database costs: whoever
/// asks every moment takes one of two cores away from what is measured.
///
/// The first bytes of the index beside SQLite's write-ahead log, its header twice, change with each commit ("The WAL-Index
/// File Format", sqlite.org/walformat.html).
final class CommitWatch {
    private static let headerBytes = 96

    private let file: Int32
    private var seen: [UInt8] = []

    /// Of the store at this path, which a node has opened.
    init(_ store: String) throws {
        file = open(store + "-shm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError("the node's database has no index of its log") }
        _ = hasCommitted()
    }

    deinit {
        close(file)
    }

    /// Whether anything was committed since this was asked last.
    func hasCommitted() -> Bool {
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        let count = pread(file, &header, Self.headerBytes, 0)
        defer { seen = header }
        return count != Self.headerBytes || header != seen
    }
}
