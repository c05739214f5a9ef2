import Testing

@testable import Storage

/// What SQLite says, as a person needs it.
@Suite struct DatabaseFailureTests {
    /// SQLite's extended result codes.
    @Test(
        arguments: [
            (13, .diskFull), (4_874, .diskFull), (778, .unwritable), (1_034, .unwritable), (1_290, .unwritable),
            (1_546, .unwritable), (8, .readOnly), (1_544, .readOnly), (14, .unopenable), (5, .busy),
            (11, .damaged("words")),
            (266, .other("words")),
        ] as [(Int32, StorageError)]
    )
    func `A code has its words`(code: Int32, expected: StorageError) {
        #expect(StorageError(code: code, words: "words") == expected)
    }

    @Test func `Any path has a name`() {
        #expect(ReadOnlyDisk.name(of: "/a b?c#d%e/ä") == "file:/a%20b%3Fc%23d%25e/%C3%A4?immutable=1")
    }
}
