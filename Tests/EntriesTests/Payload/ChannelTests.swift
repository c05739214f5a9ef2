import Entries
import Testing

struct ChannelTests {
    @Test(arguments: ["a", "cs193", "0", "-", "az09-", String(repeating: "z", count: 32)])
    func `A name within the alphabet comes back as it was`(name: String) throws {
        #expect(try #require(Channel(name)).description == name)
    }

    @Test(arguments: [
        "", "A", "a b", "#a", "caf\u{e9}", "a\0", "\0", "`", "{", "/", ":", String(repeating: "z", count: 33),
    ])
    func `Any other name is refused`(name: String) {
        #expect(Channel(name) == nil)
    }

    @Test func `Channels sort as their names do`() throws {
        let names = ["b", "a", "a-", "ab", "0"]
        #expect(try names.map { try #require(Channel($0)) }.sorted().map(\.description) == ["0", "a", "a-", "ab", "b"])
    }
}
