import Testing

@testable import Transport

/// How a temporary file is told from a person's own, whose name ends with a date.
@Suite struct TemporaryNameTests {
    private let directory = TemporaryDirectory()

    private static let dates = ["20251128", "202511280109", "20251128010959", "2025112801095959"]

    @Test func `Every number that is drawn is one`() {
        // One in two thousand has no letter, and is drawn again.
        #expect((0..<20_000).allSatisfy { _ in TemporaryName.isNumber(TemporaryName.number().utf8) })
    }

    @Test(arguments: dates + ["0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg"])
    func `A date is no number, nor is anything else that is not drawn`(text: String) {
        #expect(!TemporaryName.isNumber(text.utf8))
        #expect(!TemporaryName.ends("config.new-" + text, with: ".new-"))
    }

    @Test(arguments: dates)
    func `A person's copy of a file outlives the next write of it`(date: String) throws {
        let path = directory.path + "/config"
        let copy = path + ".new-" + date
        try FileSystem.replace(path, with: "log info\n")
        // As `cp` makes it, of a file with these permissions.
        try FileSystem.replace(copy, with: "log info\n")
        try FileSystem.replace(path, with: "log debug\n")
        #expect(try FileSystem.readText(copy, limit: 100) == "log info\n")
    }
}
