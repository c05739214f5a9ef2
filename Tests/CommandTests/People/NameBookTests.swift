import Entries
import Storage
import Testing

@testable import scurry

struct NameBookTests {
    /// An identity whose id begins so.
    static func identity(_ start: String) throws -> IdentityID {
        let text = start + String(repeating: "a", count: 52 - start.count)
        return try #require(Base32.decode(text).flatMap { IdentityID($0) })
    }

    private func book(_ people: [(String, String?)]) throws -> NameBook {
        NameBook(
            try people.map {
                KnownName(identity: try NameBookTests.identity($0.0), name: $0.1, folded: NameBook.fold($0.1))
            }
        )
    }

    @Test func `A tag has four letters, and more only among people of one name`() throws {
        let book = try book([("abcdefg", "hazel"), ("abcdzzz", "HAZE1"), ("abcdyyy", "rowan")])
        #expect(book[try NameBookTests.identity("abcdefg")].tag == "abcde")
        #expect(book[try NameBookTests.identity("abcdzzz")].tag == "abcdz")
        #expect(book[try NameBookTests.identity("abcdyyy")].tag == "abcd")
    }

    @Test func `Somebody unknown has a tag, and no name`() throws {
        let entry = try book([])[try NameBookTests.identity("qqqqq")]
        #expect(entry.tag == "qqqq")
        #expect(entry.shown == "nameless ~qqqq")
    }

    @Test func `A name cannot pass for another name and its tag`() throws {
        let book = try book([("abcdefg", "hazel ~zzzz · #x")])
        #expect(!book[try NameBookTests.identity("abcdefg")].shownName.string.contains("~"))
    }

    @Test(arguments: [
        ("hazel", 2), ("HAZEL", 2), ("@hazel", 2), ("hazel~bbbb", 1), ("~bbbb", 1), ("hazel~", 2), ("bbbbcc", 1),
        ("rowan", 1), ("nobody", 0), ("~7", 0), ("bbb", 0), ("hazel~cccc", 0),
    ])
    func `A person is found by name, tag and id`(typed: String, count: Int) throws {
        let book = try book([("aaaabb", "hazel"), ("bbbbcc", "Hazel"), ("ccccdd", "rowan")])
        let argument = try #require(PersonArgument(argument: typed))
        do throws(Failure) {
            _ = try argument.resolve(in: book)
            #expect(count == 1)
        } catch {
            #expect(count != 1)
            #expect(error.code == .notFoundOrAmbiguous)
            #expect(error.candidates.count == count)
        }
    }

    @Test func `A name in other letters is typed by its tag`() throws {
        let book = try book([("abcdefg", "栗鼠")])
        let spelling = PersonArgument.spelling(of: book[try NameBookTests.identity("abcdefg")])
        #expect(spelling == "'~abcd'")
    }
}
