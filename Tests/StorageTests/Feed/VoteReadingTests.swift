import Entries
import Testing

@testable import Storage

@Suite struct VoteReadingTests {
    @Test func `A person's votes are those that stand, the latest first`() throws {
        let campus = try Campus()
        let (hazel, rowan) = (campus.hazel, campus.rowan)
        let posts = try (0..<4).map { try rowan.post("post \($0)", time: 1) }
        let unknown = try Campus().hazel.post("elsewhere", time: 9)
        try hazel.vote(.up, on: posts[0], time: 2)
        try hazel.vote(.up, on: posts[1], time: 3)
        try hazel.vote(.down, on: posts[2], time: 4)
        try hazel.vote(.down, on: posts[0], time: 5)
        try hazel.vote(.withdrawn, on: posts[1], time: 6)
        try hazel.vote(.up, on: unknown, time: 7)
        try rowan.vote(.up, on: posts[3], time: 8)
        try campus.take()
        let votes = { (limit: Int) in try campus.store.reader.votes(of: hazel.identity, limit: limit) }
        let all = [
            CastVote(post: unknown, value: .up, time: 7), CastVote(post: posts[0], value: .down, time: 5),
            CastVote(post: posts[2], value: .down, time: 4),
        ]
        #expect(try votes(100) == all)
        #expect(try votes(2) == Array(all.prefix(2)))
        #expect(try votes(0).isEmpty)
    }

    @Test func `More votes than are read at once are found behind others that were taken back`() throws {
        let campus = try Campus()
        let post = try campus.rowan.post("first", time: 1)
        try campus.hazel.vote(.up, on: post, time: 2)
        let other = try campus.rowan.post("second", time: 1)
        for time in 3..<600 as Range<UInt64> {
            try campus.hazel.vote(time % 2 == 0 ? .up : .withdrawn, on: other, time: time)
        }
        try campus.take()
        let found = try campus.store.reader.votes(of: campus.hazel.identity, limit: 5)
        #expect(found == [CastVote(post: post, value: .up, time: 2)])
    }
}
