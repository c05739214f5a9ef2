import Entries
import Sodium
import Testing

@testable import Storage

@Suite struct ThreadTests: CampusSuite {
    let campus: Campus

    init() throws {
        campus = try Campus()
    }

    @Test func `A thread has its replies oldest first and stubs for what is missing`() throws {
        let root = try hazel.post("root", time: 1)
        let middle = try rowan.reply("middle", to: root, root: root, time: 2)
        let leaf = try hazel.reply("leaf", to: middle, root: root, time: 3)
        try store.take(hazel.chunk())
        var thread = try store.reader.thread(root, now: .max, reader: nil).posts
        #expect(thread.map(\.id) == [root, middle, leaf])
        #expect(thread.dropFirst().first == .missing(middle))
        try take()
        thread = try store.reader.thread(root, now: .max, reader: nil).posts
        #expect(thread.map(\.id) == [root, middle, leaf])
        try rowan.delete(middle, time: 9)
        try take()
        thread = try store.reader.thread(root, now: .max, reader: nil).posts
        #expect(thread.map(\.id) == [root, middle, leaf])
        #expect(thread.compactMap(\.post).map(\.isDeleted) == [false, true, false])
        let unknown = try store.reader.thread(EntryID(raw: .zero), now: 9, reader: nil)
        #expect(unknown.posts == [.missing(EntryID(raw: .zero))])
    }

    @Test func `Of very many replies the newest are read`() throws {
        let root = try hazel.post("root", time: 10)
        let honest = try hazel.reply("new", to: root, root: root, time: 20)
        let early = try (1...4).map { try rowan.reply("flood", to: root, root: root, time: $0) }
        let later = try hazel.reply("not due", to: root, root: root, time: 40)
        try rowan.reply("nor this", to: root, root: root, time: 41)
        try take()
        func read(_ limit: Int, by reader: IdentityID? = nil) throws -> PostThread {
            try store.reader.reading { try ThreadReading($0, reader: reader, limit: limit).thread(root, now: 30) }
        }
        var thread = try read(2)
        #expect(thread.posts.map(\.id) == [root, early[3], honest] && thread.extent == .newest(early[3]))
        thread = try read(2, by: hazel.identity)
        #expect(thread.posts.map(\.id) == [root, honest, later] && thread.extent == .newest(honest))
        thread = try read(5)
        #expect(thread.posts.map(\.id) == [root] + early + [honest] && thread.extent == .whole)
    }

    @Test func `All replies are read a page at a time, each once`() throws {
        let root = try hazel.post("root", time: 10)
        for time in [20, 21, 21, 21, 22, 30, 30, 31] as [UInt64] {
            try hazel.reply("one", to: root, root: root, time: time)
            try rowan.reply("another", to: root, root: root, time: time)
        }
        for time in [41, 42, 42] as [UInt64] { try hazel.reply("not due", to: root, root: root, time: time) }
        let lone = try hazel.post("nobody else answers", time: 11)
        for time in 43...46 as ClosedRange<UInt64> { try hazel.reply("nor due", to: lone, root: lone, time: time) }
        try take()
        func read(_ opening: EntryID, _ limit: Int, before bound: EntryID?) throws -> PostThread {
            try store.reader.reading {
                try ThreadReading($0, reader: hazel.identity, limit: limit).thread(opening, now: 40, before: bound)
            }
        }
        for (opening, count, limit) in (1...20).map({ (root, 20, $0) }) + (1...5).map({ (lone, 5, $0) }) {
            let all = try read(opening, 100, before: nil).posts.map(\.id)
            #expect(all.count == count && all.first == opening)
            var pages: [[EntryID]] = []
            var bound: EntryID?
            repeat {
                let page = try read(opening, limit, before: bound)
                pages.insert(page.posts.dropFirst().map(\.id), at: 0)
                bound = if case .newest(let oldest) = page.extent { oldest } else { nil }
            } while bound != nil && pages.count < 30
            #expect(pages.flatMap { $0 } == Array(all.dropFirst()), "\(limit) a page")
        }
    }

    @Test func `The history of a post has all its versions`() throws {
        let id = try hazel.post("one", time: 1)
        let second = try hazel.edit(id, to: "two", time: 2)
        let third = try hazel.edit(id, to: "three", time: 3)
        try rowan.edit(id, to: "not mine", time: 9)
        try take()
        #expect(try store.reader.history(of: id).map(\.id) == [third, second, id])
        #expect(try store.reader.history(of: id).map { $0.text?.text } == ["three", "two", "one"])
        let row = try #require(try store.reader.post(id, reader: nil))
        #expect(row.isEdited && row.content == .shown(.init(text: "three", title: "", source: third)))
        try hazel.delete(third, time: 4)
        try take()
        #expect(try store.text(of: id) == "two")
        try hazel.delete(id, second, time: 5)
        try take()
        #expect(try store.reader.history(of: id).isEmpty)
    }
}

extension ThreadPost {
    fileprivate var id: EntryID {
        switch self {
        case .post(let row): row.id
        case .missing(let id): id
        }
    }

    fileprivate var post: PostRow? {
        switch self {
        case .post(let row): row
        case .missing: nil
        }
    }
}
