import Testing

@testable import scurry

struct ThreadRendererTests {
    private func look(_ width: Int, _ colour: Look.Colour = .off) -> Look {
        Look(width: width, colour: colour, glyphs: .unicode)
    }

    private func drawn(_ page: ThreadScreen, _ look: Look) -> String {
        PageSamples.text(ThreadRenderer(look: look, clock: PageSamples.clock).lines(page), look)
    }

    @Test(arguments: [40, 80, 120], [Look.Colour.off, .on])
    func `A thread is drawn as the golden text`(width: Int, colour: Look.Colour) {
        let golden = ThreadGoldens.all["\(width) \(colour)"]
        #expect(drawn(PageSamples.thread, look(width, colour)) == golden)
    }

    @Test func `The gutter points to the post asked for, and nothing moves`() {
        var page = PageSamples.thread
        page.rows[1].post.role = .askedFor
        let whole = drawn(PageSamples.thread, look(80))
        #expect(drawn(page, look(80)) == whole.replacing("▌├─ a2a2", with: "►├─ a2a2"))
        #expect(drawn(page, look(80, .on)).contains("␛[1ma2a2␛[0m"))
        #expect(drawn(page, Look(width: 80, colour: .off, glyphs: .ascii)).contains("\n>|- a2a2"))
    }

    @Test func `Replies below the sixth are counted, with the command that shows them`() {
        let text = drawn(PageSamples.thread, look(80))
        #expect(text.contains("4 more replies: scurry show b4b4"))
        #expect(!text.contains("b5b5"))
    }

    @Test func `A chain of a hundred thousand replies is drawn to the sixth`() {
        let rows = (0..<100_000).map { PageSamples.reply($0, "aaaa", "x", "y") }
        let text = drawn(ThreadScreen(rows: rows), look(40))
        #expect(text.contains("99993 more replies:"))
    }

    @Test func `Depths that leap or go below zero are drawn as near as can be`() {
        let rows = [3, 9, -4, 1, 5, 0].map { PageSamples.reply($0, "aaaa", "x", "y") }
        let heads = drawn(ThreadScreen(rows: rows), look(80)).split(separator: "\n").map { $0.prefix(16) }
        #expect(
            heads == [
                "▌aaaa  x ~9fq2 ·", "▌│     y", "▌├─ 1 more reply", "▌├─ aaaa  x ~9fq", "▌│        y",
                "▌├─ aaaa  x ~9fq",
                "▌│  │     y", "▌│  └─ aaaa  x ~", "▌│           y", "▌└─ aaaa  x ~9fq", "▌         y",
            ]
        )
        #expect(drawn(ThreadScreen(rows: []), look(80)).isEmpty)
    }

    @Test func `No line is wider than the terminal, whatever people write`() {
        var random = Seeded.fresh()
        for _ in 0..<200 {
            let look = look(Int.random(in: 40...200, using: &random))
            var page = PageSamples.thread
            for index in page.rows.indices {
                page.rows[index].depth = index == 0 ? 0 : Int.random(in: 1...8, using: &random)
                page.rows[index].post.author.name = SafeText(name: random.text(scalars: 40))
                page.rows[index].post.body = SafeText(body: random.text(scalars: 200))
                page.rows[index].post.tally = .init(up: .random(in: 0...100_000, using: &random), down: 9)
            }
            for line in ThreadRenderer(look: look, clock: PageSamples.clock).lines(page) {
                #expect(line.columns <= look.width, "seed \(random.seed) \(line.text(look))")
            }
        }
    }
}
