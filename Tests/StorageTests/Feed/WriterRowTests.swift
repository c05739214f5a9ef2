import Entries
import Testing

@testable import Storage

@Suite struct WriterRowTests: CampusSuite {
    let campus: Campus

    init() throws {
        campus = try Campus()
    }

    private func rows(_ now: UInt64) throws -> [WriterRow] { try store.reader.writers(now: now) }

    @Test func `Whoever posted last comes first, and a post that is not due yet does not count`() throws {
        try hazel.post("early", time: 1)
        try rowan.post("later", time: 2)
        try hazel.post("far ahead", time: 9)
        try take()
        let (first, second) = (hazel.identity, rowan.identity)
        #expect(try rows(5) == [WriterRow(identity: second, latest: 2), WriterRow(identity: first, latest: 1)])
        #expect(try rows(9) == [WriterRow(identity: first, latest: 9), WriterRow(identity: second, latest: 2)])
    }

    @Test func `Who never posted comes last, and who is only followed is not here`() throws {
        try hazel.follow(.following, rowan.identity, time: 5)
        try take()
        #expect(try rows(.max) == [WriterRow(identity: hazel.identity, latest: nil)])
        try rowan.post("late", time: 1)
        try take()
        #expect(try rows(.max).map(\.identity) == [rowan.identity, hazel.identity])
    }
}
