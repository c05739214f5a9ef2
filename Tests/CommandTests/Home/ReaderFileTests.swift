import Entries
import Foundation
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

    @Test func `A mark never goes back, and remembers the one before`() throws {
        try file.saw([], view: "", upTo: 5)
        #expect(try file.state().marks[""] == ReadMark(arrival: 5, before: 0))
        try file.saw([], view: "", upTo: 9)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 5))
        try file.saw([], view: "", upTo: 7)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 9))
        try file.saw([try post(1)], view: nil, upTo: 100)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 9))
    }

    @Test func `A view that was shown in part is read when the rest of it was`() throws {
        try file.saw([], view: "", upTo: 5)
        try file.saw([], view: "", upTo: 9, reaching: .part)
        #expect(try file.state().marks[""] == ReadMark(arrival: 5, before: 5))
        try file.saw([], view: "", upTo: 12, reaching: .rest)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 5))
        // Nothing is noted any more.
        try file.saw([], view: "", upTo: 20, reaching: .rest)
        #expect(try file.state().marks[""] == ReadMark(arrival: 9, before: 5))
        try file.saw([], view: "new", upTo: 7, reaching: .part)
        #expect(try file.state().marks["new"] == ReadMark(arrival: 0, before: 0))
    }

    @Test func `Ids shown lately are kept up to a number, the latest last`() throws {
        let all = try (0..<UInt32(ReaderFile.shownAtMost + 50)).map { try post($0) }
        try file.saw(all, view: nil, upTo: 0)
        try file.saw([all[100]], view: nil, upTo: 0)
        let shown = try file.state().shown
        #expect(shown.count <= ReaderFile.shownAtMost)
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
