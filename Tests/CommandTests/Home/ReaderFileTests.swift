import Entries
import Foundation
import GRDB
import Storage
import Testing

struct ReaderFileTests {
    private let folder: ShortFolder
    private let file: ReaderFile

    init() throws {
        folder = try ShortFolder()
        file = ReaderFile(path: folder.file("reader.sqlite"))
    }

    private func channel(_ name: String) throws -> Channel {
        try #require(Channel(name))
    }

    private func post(_ number: UInt32) throws -> EntryID {
        let tail = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
        return try #require(EntryID([UInt8](repeating: 0, count: 28) + tail))
    }

    @Test func `A file that is not there, or empty, is an empty state`() throws {
        #expect(try file.state() == ReaderState())
        try folder.write("", to: "reader.sqlite")
        #expect(try file.state() == ReaderState())
        try file.join(try channel("cs193"))
        #expect(try file.state().joined == [try channel("cs193")])
    }

    @Test func `Channels are kept in the order of joining, once each`() throws {
        for name in ["b", "a", "b"] { try file.join(try channel(name)) }
        try file.use(try channel("c"))
        #expect(try file.state().joined.map(\.description) == ["b", "a"])
        #expect(try file.state().channelInUse == channel("c"))
        try file.leave(try channel("b"))
        try file.use(nil)
        #expect(try file.state().joined.map(\.description) == ["a"])
        #expect(try file.state().channelInUse == nil)
    }

    @Test func `A mark never goes back`() throws {
        for (arrival, expected) in [(5, 5), (9, 9), (7, 9)] as [(UInt64, UInt64)] {
            try file.saw([], view: "", upTo: arrival)
            #expect(try file.state().marks[""]?.arrival == expected)
        }
        try file.saw([try post(1)], view: nil, upTo: 100)
        #expect(try file.state().marks[""]?.arrival == 9)
    }

    @Test func `What was skipped is still new on later pages`() throws {
        try file.saw([], view: "", upTo: 5)
        try file.saw([], view: "", upTo: 9, reaching: .skipped)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 5))
        try file.saw([], view: "", upTo: 11, reaching: .live)
        #expect(try file.state().marks[""] == ReadMark(arrival: 11, before: 5))
        try file.saw([], view: "", upTo: 12)
        #expect(try file.state().marks[""] == ReadMark(arrival: 12, before: 12))
    }

    private func place(_ time: UInt64) -> ReadPlace { ReadPlace(time: time, tie: 0) }
    private func pages(_ arrival: UInt64, _ last: UInt64) -> ReadPages {
        ReadPages(arrival: arrival, last: place(last))
    }

    @Test func `Pages that follow each other are one, and the last of them reads the view`() throws {
        try file.saw([], view: "", upTo: 5)
        try file.saw([], view: "", upTo: 9, reaching: .newest(through: place(80)))
        #expect(try file.state().marks[""] == ReadMark(arrival: 5, before: 5, pages: [pages(9, 80)]))
        // Of a page that begins elsewhere nothing follows, nor from the last one of such.
        try file.saw([], view: "", upTo: 10, reaching: .older(after: place(70), through: place(60)))
        try file.saw([], view: "", upTo: 10, reaching: .oldest(after: place(70)))
        #expect(try file.state().marks[""]?.pages == [pages(9, 80)])
        try file.saw([], view: "", upTo: 12, reaching: .older(after: place(80), through: place(60)))
        #expect(try file.state().marks[""]?.pages == [pages(9, 60)])
        // A page above with what came since stands beside it, one that reaches as far takes its place.
        try file.saw([], view: "", upTo: 13, reaching: .newest(through: place(90)))
        #expect(try file.state().marks[""]?.pages == [pages(9, 60), pages(13, 90)])
        try file.saw([], view: "", upTo: 12, reaching: .oldest(after: place(60)))
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 9, pages: [pages(13, 90)]))
        try file.saw([], view: "new", upTo: 7, reaching: .newest(through: place(1)))
        #expect(try file.state().marks["new"] == ReadMark(arrival: 0, before: 0, pages: [pages(7, 1)]))
    }

    @Test func `Of pages a bounded number is remembered, the latest`() throws {
        for number in 1...UInt64(StorageLimits.pageRunsPerView + 3) {
            try file.saw([], view: "", upTo: number, reaching: .newest(through: place(number)))
        }
        let kept = try #require(try file.state().marks[""]).pages
        #expect(kept.map(\.arrival) == Array(4...UInt64(StorageLimits.pageRunsPerView + 3)))
    }

    @Test func `A file of the version before keeps its marks`() throws {
        try file.saw([try post(1)], view: "", upTo: 5)
        try file.join(try channel("a"))
        let before = try DatabaseQueue(path: file.path)
        try before.write { try $0.execute(sql: "DROP TABLE pages; PRAGMA user_version = 1") }
        try before.close()
        #expect(try file.state().marks[""]?.arrival == 5)
        #expect(try file.state().shown.count == 1)
        try file.saw([], view: "", upTo: 9, reaching: .newest(through: place(80)))
        #expect(try file.state().marks[""]?.pages == [pages(9, 80)])
        #expect(try file.state().joined.count == 1)
    }

    @Test func `A file that a later version made is neither read nor written`() throws {
        try file.join(try channel("a"))
        let later = try DatabaseQueue(path: file.path)
        try later.write { try $0.execute(sql: "CREATE TABLE more (one INTEGER); PRAGMA user_version = 3") }
        try later.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let newer = StorageError.newerVersion(found: 3, known: 2)
        #expect(throws: newer) { try file.state() }
        #expect(throws: newer) { try file.names(version: "1") }
        #expect(throws: newer) { try file.join(channel("b")) }
        #expect(throws: newer) { try file.use(nil) }
        #expect(throws: newer) { try file.saw([post(1)], view: "", upTo: 5) }
        #expect(throws: newer) { try file.keep([], version: "1") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == bytes)
    }

    @Test func `Ids shown lately are kept up to a number, the latest last`() throws {
        let all = try (0..<UInt32(StorageLimits.shownPosts + 50)).map { try post($0) }
        try file.saw(all, view: nil, upTo: 0)
        try file.saw([all[100]], view: nil, upTo: 0)
        let shown = try file.state().shown
        #expect(shown.count <= StorageLimits.shownPosts)
        #expect(shown.last == all[100])
        #expect(!shown.contains(all[0]))
    }

    @Test func `Names are kept for one version of the store`() throws {
        #expect(try file.names(version: "1") == nil)
        let identity = try NameBookTests.identity("abc")
        let names = [KnownName(identity: identity, name: "hazel", folded: "hazel")]
        try file.keep(names, version: "1")
        #expect(try file.names(version: "1") == names)
        #expect(try file.names(version: "2") == nil)
        try file.keep([KnownName(identity: identity, name: nil, folded: "")], version: "2")
        #expect(try file.names(version: "2")?.first?.name == nil)
    }

    @Test func `A file that is no database says so`() throws {
        try folder.write(String(repeating: "not a database ", count: 100), to: "reader.sqlite")
        #expect(throws: StorageError.self) { try file.state() }
    }

    @Test func `Many writers at once lose nothing`() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for channel in try (0..<20).map({ try channel("c\($0)") }) {
                group.addTask { try file.join(channel) }
            }
            try await group.waitForAll()
        }
        #expect(try file.state().joined.count == 20)
    }
}
