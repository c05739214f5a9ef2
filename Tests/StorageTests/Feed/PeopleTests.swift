import Entries
import Testing

@testable import Storage

@Suite struct PeopleTests: CampusSuite {
    let campus: Campus

    init() throws {
        campus = try Campus()
    }

    @Test func `Following changes at once`() throws {
        let post = try rowan.post("hello", time: 1)
        try hazel.follow(.following, rowan.identity, time: 1)
        try take()
        var query = FeedQuery(now: .max, reader: nil)
        query.authors = .followed(by: hazel.identity)
        #expect(try store.feed(query) == [post])
        #expect(try store.reader.followCounts(rowan.identity) == FollowCounts(followers: 1, following: 0))
        #expect(try store.reader.followers(rowan.identity) == [hazel.identity])
        try hazel.follow(.withdrawn, rowan.identity, time: 2)
        try take()
        #expect(try store.feed(query).isEmpty)
        #expect(try store.reader.followCounts(hazel.identity) == FollowCounts(followers: 0, following: 0))
    }

    @Test func `Short ids find posts`() throws {
        let ids = try (0..<200).map { try hazel.post("\($0)", time: 1) }
        try hazel.vote(.up, on: ids[0], time: 2)
        try take()
        for id in ids {
            for length in [3, 4, 12, 13, 14, 52] {
                let prefix = try #require(IDPrefix(id.description.prefix(length)))
                let expected = ids.filter { $0.description.hasPrefix(prefix.text) }.sorted()
                #expect(try store.reader.posts(prefix) == expected)
            }
        }
        #expect(try store.reader.posts(try #require(IDPrefix("a"))).count <= StorageLimits.candidates)
        // Among many entries that are no posts, and begin so as well.
        for time in 3..<16_000 { try rowan.edit(ids[0], to: "", time: UInt64(time)) }
        try take()
        for letter in Set(ids.compactMap(\.description.first)) {
            let expected = ids.filter { $0.description.first == letter }.sorted()
            #expect(try store.reader.posts(try #require(IDPrefix(String(letter)))) == expected)
        }
        #expect(IDPrefix("") == nil && IDPrefix("K7fa") == nil && IDPrefix("1") == nil)
        #expect(IDPrefix(String(repeating: "a", count: 53)) == nil)
    }

    @Test func `People are found by id and listed in pages`() throws {
        try hazel.name("hazel", time: 1)
        try rowan.post("no name", time: 1)
        try take()
        let all = try store.reader.people(after: nil, limit: 10)
        #expect(all.map(\.identity) == [hazel.identity, rowan.identity].sorted())
        #expect(Set(all.map(\.name)) == ["hazel", nil])
        #expect(try store.reader.people(after: all[0].identity, limit: 10) == [all[1]])
        let prefix = try #require(IDPrefix(hazel.identity.description.prefix(6)))
        #expect(try store.reader.identities(prefix) == [hazel.identity])
        #expect(try store.feed().compactMap { try store.reader.post($0, reader: nil)?.author } == [])
    }
}
