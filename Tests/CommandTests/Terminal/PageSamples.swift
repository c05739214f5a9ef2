@testable import scurry

/// Pages that the golden tests draw.
enum PageSamples {
    /// 20 November 2026, 14:30:00 UTC.
    static let now: UInt64 = 1_795_185_000_000
    static let clock = TimeText(now: now, zone: .utc)
    private static let minute: UInt64 = 60_000

    static let bagel = PostView(
        id: "k7fa",
        author: .init(name: "hazel", tag: "9fq2", relation: .you),
        channels: ["squirrels"],
        time: now - 28 * minute,
        body: SafeText(body: "Caught this one stealing my bagel."),
        tally: .init(up: 6, down: 0),
        replies: 2
    )
    static let midterm = PostView(
        id: "2mat",
        author: .init(name: "rowan", tag: "xe8b"),
        channels: ["cs193"],
        time: now - 50 * minute,
        title: "Midterm room moved to Gates B01",
        body: SafeText(body: "See the course page; bring your own scratch paper."),
        tally: .init(up: 3, down: 1),
        replies: 1,
        ownVote: .up
    )

    /// The one in the conventions of the product.
    static let drawing = FeedScreen(
        scope: "everybody",
        peers: "2 peers, synced 4 s ago",
        unread: 3,
        posts: [bagel, midterm],
        older: "2mat"
    )

    /// One of each kind.
    static let mixed = FeedScreen(
        scope: "#cs193",
        peers: "2 peers, synced 4 s ago",
        unread: 3,
        posts: [
            bagel, midterm,
            PostView(
                id: "q3xd",
                author: .init(name: "木の実リス", tag: "ab2c"),
                channels: ["squirrels", "cs193", "math51"],
                time: now - 2880 * minute,
                title: "今日のリス",
                body: SafeText(
                    body: "とても長い日本語の文章がここにあります。改行されるはずですが、どうでしょうか。\n\n"
                        + "And a link: https://example.edu/a/very/long/link/that/has/no/spaces/at/all.html"
                ),
                tally: .init(up: 12, down: 10),
                replies: 31,
                ownVote: .down,
                reading: .unread,
                state: .edited
            ),
            PostView(
                id: "7yyv",
                author: .init(name: SafeText(name: "rowan ~xe8b (you)"), tag: "zzzz"),
                channels: ["general"],
                time: now - 500_000 * minute,
                body: SafeText(body: "\u{1B}[31mred\u{202E}txt\u{7}"),
                reading: .unread
            ),
            PostView(
                id: "aaaa",
                author: .init(name: "maximilian", tag: "q2wer", relation: .you),
                time: now + 5000 * minute,
                body: "tomorrow",
                state: .future
            ),
            PostView(
                id: "bbbb",
                author: .init(name: "fern", tag: "p3rn"),
                channels: ["cs193"],
                time: now - 60 * minute,
                replies: 3,
                reading: .unread,
                state: .waitingForBody
            ),
            PostView(
                id: "cccc",
                author: .init(name: "fern", tag: "p3rn"),
                channels: ["cs193"],
                time: now - 60 * minute,
                replies: 3,
                state: .deleted
            ),
            PostView(id: "dddd", author: .init(name: "", tag: ""), time: 0, state: .stub),
            PostView(
                id: "eeee",
                author: .init(name: "maximilian-alexander-of-redwoods", tag: "p3rn4", relation: .you),
                channels: ["a-channel-of-thirty-two-letters-x", "b"],
                time: .max,
                body: "x",
                tally: .init(up: 1234, down: 567),
                replies: 89
            ),
        ],
        command: "scurry feed -c cs193",
        older: "eeee"
    )

    static let thread = ThreadScreen(rows: [
        .init(depth: 0, post: midterm),
        reply(1, "a2a2", "hazel", "Is that the one with the broken clock?"),
        reply(2, "a3a3", "fern", "Yes. It has been ten past two since September, and the door sticks, so come early."),
        reply(1, "a4a4", "moss", "Thanks!"),
        reply(2, "a5a5", "rowan", "two"),
        reply(3, "a6a6", "hazel", "three, with a text that is long enough for more than one line"),
        reply(3, "a7a7", "fern", "three again"),
        reply(4, "b2b2", "moss", "four"),
        reply(5, "b3b3", "rowan", "five"),
        reply(6, "b4b4", "hazel", "six, and that is as deep as it is drawn"),
        reply(7, "b5b5", "oak", "seven"),
        .init(depth: 8, post: post(8, "b6b6", "oak", "eight"), undrawn: 2),
        reply(5, "b7b7", "fern", "five again"),
        .init(
            depth: 1,
            post: PostView(id: "c2c2", author: .init(name: "", tag: ""), channels: ["cs193"], time: 0, state: .stub)
        ),
        reply(2, "c3c3", "oak", "came before its parent"),
    ])

    static func reply(_ depth: Int, _ id: SafeText, _ name: SafeText, _ body: SafeText) -> ThreadScreen.Row {
        .init(depth: depth, post: post(depth, id, name, body))
    }

    private static func post(_ depth: Int, _ id: SafeText, _ name: SafeText, _ body: SafeText) -> PostView {
        PostView(
            id: id,
            author: .init(name: name, tag: "9fq2"),
            channels: ["cs193"],
            time: now - UInt64(clamping: depth) * minute,
            body: body,
            tally: .init(up: max(0, depth), down: 0),
            replies: 1
        )
    }

    /// Drawn lines as one text, escape sequences as `␛[…`.
    static func text(_ lines: [StyledLine], _ look: Look) -> String {
        lines.map { $0.text(look) }.joined(separator: "\n").split(separator: "\u{1B}", omittingEmptySubsequences: false)
            .joined(separator: "␛")
    }
}
