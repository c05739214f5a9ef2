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

    @Test(
        arguments: [
            "malformed database schema (gaps)",
            """
            malformed database schema (targets) - unrecognized token: "`
                up INTEGER NOT NULL DEFAULT 0 CHECK (up >= 0)
            ) STRICT"
            """,
        ]
    )
    func `Damaged table definitions are not quoted`(words: String) {
        let error = StorageError(code: 11, words: words)
        #expect("\(error)" == "the database is damaged (its table definitions cannot be read)")
    }

    @Test func `What a disk lacks is told in the units that people read, and never looks like what it has`() {
        let copy = StorageError.noRoomToCopy(bytes: 5_000_000_001, free: 5_000_000_000)
        #expect("\(copy)".hasSuffix("that takes 5001 MB, and 5000 MB are free"), "\(copy)")
        let rewriting = BudgetOutcome.Obstacle.noRoom(bytes: 70_300_000, free: 999_999)
        #expect("\(rewriting)" == "to make it smaller takes 71 MB once, and 0 MB are free")
    }

    @Test func `Any path has a name`() {
        #expect(ReadOnlyDisk.name(of: "/a b?c#d%e/ä") == "file:/a%20b%3Fc%23d%25e/%C3%A4?immutable=1")
    }
}
