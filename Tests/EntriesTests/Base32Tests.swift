import Entries
import TestSupport
import Testing

struct Base32Tests {
    private static let published: [(String, String)] = [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ]

    @Test func `The vectors of RFC 4648 hold in lower case without padding`() {
        for (plain, text) in Self.published {
            #expect(Base32.encode(Array(plain.utf8)) == text)
            #expect(Base32.decode(text) == Array(plain.utf8))
        }
    }

    @Test func `A text that is not the one spelling is refused`() {
        // Impossible lengths, left-over bits, upper case, padding, foreign characters.
        for text in ["a", "mzx", "mzxw6y", "mz", "mzxr", "mzxw7", "mzxw6yr", "MY", "my======", "m0", "m1", "m y", "mé"]
        {
            #expect(Base32.decode(text) == nil, "\(text)")
        }
    }

    @Test func `Any bytes come back, and one character changed gives other bytes or none`() {
        var random = SeededRandom.announced()
        for _ in 0..<500 {
            let bytes = random.bytes(random.below(70))
            let text = Base32.encode(bytes)
            #expect(Base32.decode(text) == bytes)
            for place in text.indices {
                var changed = text
                changed.replaceSubrange(place...place, with: text[place] == "a" ? "b" : "a")
                #expect(Base32.decode(changed) != bytes)
            }
        }
    }
}
