import Entries
import Foundation
import GRDB
import Sodium
import Testing

@testable import Storage

extension EntryStore {
    static func inMemory() throws -> EntryStore {
        try EntryStore(.memory, network: Device.network, creation: .ifAbsent)
    }

    @discardableResult
    func take(_ chunks: VerifiedChunk..., from source: NodeID = .peer) throws -> TakeReport {
        var batch = TakeBatch()
        batch.chunks = chunks.map { .init(chunk: $0, source: source) }
        defer { expectRowsAsInTheFile() }
        return try take(batch)
    }

    /// What the writer has of logs in memory is what their rows say.
    func expectRowsAsInTheFile(_ place: SourceLocation = #_sourceLocation) {
        do {
            let (known, stored) = try writer.read { db in
                let table = LogTable(db)
                let ids = try Prepared(db, "SELECT log FROM logs").all { try $0.id(0, as: LogID.self) }
                let known = ids.compactMap { rows[$0] }
                return (known, try known.map { try table.log($0.log) })
            }
            #expect(known == stored, sourceLocation: place)
            #expect(known.count == rows.count, "a log that is not in the file", sourceLocation: place)
        } catch {
            Issue.record(error, sourceLocation: place)
        }
    }

    @discardableResult
    func take(body payload: [UInt8], of place: BodyPlace) throws -> TakeReport {
        var batch = TakeBatch()
        batch.bodies = [.init(place: place, payload: payload, source: .peer)]
        return try take(batch)
    }

    /// The whole feed as ids, in pages.
    func feed(_ query: FeedQuery = FeedQuery(now: .max, reader: nil), page: Int = 7) throws -> [EntryID] {
        var query = query
        query.limit = page
        var ids: [EntryID] = []
        while true {
            let slice = try reader.feed(query)
            ids += slice.posts.map(\.id)
            guard let next = slice.next else { return ids }
            query.beyond = next
        }
    }

    func text(of post: EntryID) throws -> String? {
        guard case .shown(let text)? = try reader.post(post, reader: nil)?.content else { return nil }
        return text.text
    }
}

/// A directory of its own for each test, gone with the value.
final class TestHome {
    let directory: String
    var path: String { directory + "/store.sqlite" }

    init() throws {
        directory = FileManager.default.temporaryDirectory.path + "/scurry-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func open() throws -> EntryStore {
        try EntryStore(.file(path), network: Device.network, creation: .ifAbsent)
    }

    /// Whether a word stands in any file of the home.
    func contains(_ word: String) throws -> Bool {
        let needle = Data(word.utf8)
        return try FileManager.default.contentsOfDirectory(atPath: directory).contains { name in
            try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name)).range(of: needle) != nil
        }
    }
}
