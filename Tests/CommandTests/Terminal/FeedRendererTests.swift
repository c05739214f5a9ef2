import Testing

@testable import scurry

struct FeedRendererTests {
    private func look(_ width: Int, _ colour: Look.Colour = .off) -> Look {
        Look(width: width, colour: colour, glyphs: .unicode)
    }

    private func drawn(_ page: FeedScreen, _ look: Look) -> String {
        PageSamples.text(FeedRenderer(look: look, clock: PageSamples.clock).lines(page), look)
    }

    @Test func `At eighty columns a feed looks as the conventions draw it`() {
        let drawing = """
             everybody · newest first · 2 peers, synced 4 s ago                     3 unread
            ────────────────────────────────────────────────────────────────────────────────
            ▌k7fa  hazel ~9fq2 (you) · #squirrels · 14:02                          +6 −0 ↳2
            ▌      Caught this one stealing my bagel.
            ▌2mat  rowan ~xe8b · #cs193 · 13:40                                   *+3 −1 ↳1
            ▌      Midterm room moved to Gates B01
            ▌      See the course page; bring your own scratch paper.
            ────────────────────────────────────────────────────────────────────────────────
             older: scurry feed --before 2mat
            """
        #expect(drawn(PageSamples.drawing, look(80)) == drawing)
    }

    @Test(arguments: [40, 80, 120], [Look.Colour.off, .on])
    func `A feed of everything is drawn as the golden text`(width: Int, colour: Look.Colour) {
        let golden = FeedGoldens.all["\(width) \(colour)"]
        #expect(drawn(PageSamples.mixed, look(width, colour)) == golden)
    }

    @Test func `On a very wide terminal a score stays near its post`() {
        let posts = { (width: Int) in
            FeedRenderer(look: look(width), clock: PageSamples.clock).posts(PageSamples.mixed.posts)
        }
        #expect(posts(200) == posts(120))
        #expect(posts(119) != posts(120))
    }

    @Test func `Signs are ASCII where nothing else can be drawn`() {
        let text = drawn(PageSamples.drawing, Look(width: 80, colour: .off, glyphs: .ascii))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.contains("|k7fa  hazel ~9fq2 (you) - #squirrels - 14:02"))
    }

    @Test func `Unread, own and voted state show without colour`() {
        var page = PageSamples.drawing
        page.posts[1].reading = .unread
        let text = drawn(page, look(80))
        #expect(text.contains("2mat• rowan"))
        #expect(text.contains("(you)"))
        #expect(text.contains("*+3"))
    }

    @Test func `A long text is cut in the feed, with the command that shows all`() {
        var page = PageSamples.drawing
        page.posts[0].body = SafeText(body: (1...100).map { "line \($0)" }.joined(separator: "\n"))
        let text = drawn(page, look(80))
        #expect(text.contains("line 12\n▌      … 88 more: scurry show k7fa"))
        #expect(!text.contains("line 13"))
    }

    @Test func `The last page says that there is nothing older`() {
        var page = PageSamples.drawing
        page.older = nil
        #expect(drawn(page, look(80)).hasSuffix("\n nothing older"))
    }

    @Test func `No line is wider than the terminal, whatever people write`() {
        var random = Seeded.fresh()
        for _ in 0..<400 {
            let look = look(Int.random(in: 40...200, using: &random))
            var page = PageSamples.mixed
            for index in page.posts.indices {
                page.posts[index].author.name = SafeText(name: random.text(scalars: 40))
                page.posts[index].title = SafeText(line: random.text(scalars: 100))
                page.posts[index].body = SafeText(body: random.text(scalars: 200))
                page.posts[index].channels = (0..<Int.random(in: 0...5, using: &random)).map { "channel-\($0)-of-many" }
                page.posts[index].tally = .init(up: .random(in: 0...100_000, using: &random), down: 9)
                page.posts[index].time = .random(in: 0...UInt64.max, using: &random) >> 20
            }
            for line in FeedRenderer(look: look, clock: PageSamples.clock).lines(page) {
                #expect(line.columns <= look.width, "seed \(random.seed) \(line.text(look))")
                #expect(line.trimmedEnd == line || line.spans.isEmpty, "seed \(random.seed)")
            }
        }
    }
}
