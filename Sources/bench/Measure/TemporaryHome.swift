import Entries
import Foundation
import Storage
import Transport

/// A home in a directory that is removed with it.
final class TemporaryHome {
    /// The network that all measurements use.
    static let network = "bench"

    let layout: HomeLayout

    enum Owner {
        case hub
        case person
    }

    /// The directory of Linux for files in memory.
    private static let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)

    /// Creates a home, in memory if the system allows it and it stands for another machine's: measured nodes must not
    /// wait for its disk writes.
    init(of owner: Owner, isInMemory: Bool = false) throws {
        let isPossible = isInMemory && FileManager.default.isWritableFile(atPath: Self.memory.path)
        let base = isPossible ? Self.memory : FileManager.default.temporaryDirectory
        let template = base.appendingPathComponent("scurry-bench-\(UUID().uuidString)")
        layout = HomeLayout(directory: template.path)
        switch owner {
        case .hub: _ = try Home.create(at: layout, network: Self.network, for: .hub)
        case .person: _ = try Home.create(at: layout, network: Self.network, for: .person(show: { _ in }))
        }
    }

    /// Creates a home with the posts of a crowd.
    convenience init(of owner: Owner, holding size: SizeOptions, seed: UInt64) throws {
        try self.init(of: owner)
        var crowd = try Crowd(size, seed: seed)
        try put(crowd.write(posts: size.posts, bytes: size.bytes), of: crowd)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: layout.data)
    }

    /// Opens the store for writing, does the work, and closes it: no node may run meanwhile.
    func fill(_ work: (EntryStore) throws -> Void) throws {
        let store = try EntryStore(.file(layout.store), network: NetworkID(name: Self.network), creation: .never)
        try work(store)
        try store.close()
    }

    /// Stores a crowd's chunks as if a peer had brought them; no node may be running.
    func put(_ chunks: [VerifiedChunk], of crowd: Crowd) throws {
        try fill { try $0.put(chunks, from: crowd.source) }
    }

    func database(_ access: SQLiteFile.Access) throws -> SQLiteFile {
        try SQLiteFile(layout.store, access)
    }

    func reader() throws -> StoreReader {
        try StoreReader(path: layout.store, network: NetworkID(name: Self.network))
    }

    /// Bytes of the database and its write-ahead log.
    var databaseBytes: Int {
        [layout.store, layout.store + "-wal"].reduce(0) { sum, path in
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
            return sum + size
        }
    }

    func writePeers(_ lines: [String]) throws {
        try (lines.joined(separator: "\n") + "\n").write(toFile: layout.peers, atomically: true, encoding: .utf8)
    }
}
