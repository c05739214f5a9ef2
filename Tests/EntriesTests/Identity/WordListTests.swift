import Entries
import Sodium
import Testing

struct WordListTests {
    /// SHA-256 of the published file, one word a line.
    @Test func `The list is the published one`() {
        let file = WordList.english.map { $0 + "\n" }.joined()
        #expect(WordList.english.count == 2_048)
        #expect(
            SHA256.hash(Array(file.utf8)).description
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
        )
    }

    @Test func `Every word is found at its place`() {
        for (index, word) in WordList.english.enumerated() {
            #expect(WordList.index(of: word) == index)
        }
        #expect(WordList.index(of: "") == nil)
        #expect(WordList.index(of: "zooo") == nil)
        #expect(WordList.index(of: "aardvark") == nil)
    }
}
