import Testing

@testable import scurry

struct FailureTests {
    @Test func `A failure is one line and a hint, its candidates between`() {
        let failure = Failure(
            .notFoundOrAmbiguous,
            "k7 means two posts\u{1B}",
            hint: "scurry show k7fa",
            candidates: ["k7fa  hazel ~9fq2"]
        )
        let look = Look(width: 80, colour: .off, glyphs: .unicode)
        #expect(
            failure.lines().map { $0.text(look) } == [
                "scurry: error: k7 means two posts␛", "  k7fa  hazel ~9fq2", "hint: scurry show k7fa",
            ]
        )
    }

    @Test func `Exit codes are those of the conventions`() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 3, 4, 5, 6, 7, 64, 75])
    }
}

struct NearestCommandTests {
    private let names = [
        "init", "post", "reply", "feed", "show", "peers", "follow", "unfollow", "status", "sync", "completions",
    ]

    @Test(arguments: [
        ("psot", "post"), ("fed", "feed"), ("feeed", "feed"), ("stat", "status"), ("REPLY", "reply"),
        ("folow", "follow"),
        ("compl", "completions"), ("unfolow", "unfollow"), ("peer", "peers"),
    ])
    func `A slip finds its command`(typed: String, meant: String) {
        #expect(NearestCommand.find(typed, among: names) == meant)
    }

    @Test(arguments: ["", "xyzzy", "q", "makecoffee", String(repeating: "p", count: 100_000)])
    func `What is near to nothing finds nothing`(typed: String) {
        #expect(NearestCommand.find(typed, among: names) == nil)
    }

    @Test func `Slips are letters added, left out, replaced or swapped`() {
        #expect(NearestCommand.slips(from: "psot", to: "post") == 1)
        #expect(NearestCommand.slips(from: "", to: "post") == 4)
        #expect(NearestCommand.slips(from: "kitten", to: "sitting") == 3)
    }
}

struct EmptyStateTests {
    @Test(arguments: [
        EmptyState.noPosts, .noPeers, .nothingNew, .emptyChannel("cs193"), .nobodyFollowed, .nothingFrom("rowan"),
        .emptyChannelsOfOurs("#cs193", "nobody writes on a hub, whatever its channel", next: "scurry peers"),
    ])
    func `Nothing to show says so and names a command, also on a narrow terminal`(state: EmptyState) {
        let look = Look(width: 40, colour: .off, glyphs: .unicode)
        let lines = state.lines(look)
        #expect(lines.count >= 2)
        #expect(lines.last?.text(look).contains("scurry ") == true)
        #expect(lines.allSatisfy { $0.columns <= 40 })
    }
}
