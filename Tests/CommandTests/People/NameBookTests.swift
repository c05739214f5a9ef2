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
            _ = try argument.resolve(in: book, for: "scurry who")
            #expect(count == 1)
        } catch {
            #expect(count != 1)
            #expect(error.code == .notFoundOrAmbiguous)
            #expect(error.candidates.count == count)
        }
    }

    @Test(arguments: [
        ("bbbb", 2), ("@BBBB", 2), ("bbbbc", 1), ("~bbbb", 1), ("bbbb~", 1), ("bbbb~aaaa", 1), ("hazel", 1),
        ("rrrr", 1), ("dddd", 1),
    ])
    func `A name that is spelled like somebody's tag does not take their place`(typed: String, count: Int) throws {
        let book = try book([("aaaabb", "bbbb"), ("bbbbcc", "hazel"), ("ccccdd", "rrrr"), ("ddddee", "dddd")])
        let argument = try #require(PersonArgument(argument: typed))
        do throws(Failure) {
            _ = try argument.resolve(in: book, for: "scurry who")
            #expect(count == 1)
        } catch {
            #expect(count == 2)
            #expect(error.code == .notFoundOrAmbiguous)
            #expect(error.candidates.map(\.string) == ["hazel ~bbbb", "bbbb ~aaaa"])
        }
    }

    @Test func `A whole id means that id, whoever is called so`() throws {
        let (known, unknown) = (try NameBookTests.identity("bbbbcc"), try NameBookTests.identity("eeeeff"))
        let book = try book([("bbbbcc", "hazel"), ("aaaabb", known.description), ("ccccdd", unknown.description)])
        let whole = try #require(PersonArgument(argument: known.description))
        #expect(try whole.resolve(in: book, for: "scurry who").identity == known)
        let nobody = try #require(PersonArgument(argument: unknown.description))
        #expect(throws: Failure.self) { _ = try nobody.resolve(in: book, for: "scurry who") }
    }

    @Test func `A name in other letters is typed by its tag`() throws {
        let book = try book([("abcdefg", "栗鼠")])
        let spelling = PersonArgument.spelling(of: book[try NameBookTests.identity("abcdefg")])
        #expect(spelling == "'~abcd'")
    }

    @Test func `A name that would be taken for an option is typed by its tag`() throws {
        let book = try book([("abcdefg", "-x")])
        #expect(PersonArgument.spelling(of: book[try NameBookTests.identity("abcdefg")]) == "'~abcd'")
    }
}
