import Testing

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct WrapTests {
    @Test func `Words stay whole, and lines end without spaces`() {
        let lines = Wrap.lines(SafeText(body: "See the course page; bring your own paper."), width: 20)
        #expect(lines.map(\.string) == ["See the course page;", "bring your own", "paper."])
    }

    @Test func `A word longer than a line is cut`() {
        #expect(Wrap.lines("abcdefghij kl", width: 4).map(\.string) == ["abcd", "efgh", "ij", "kl"])
    }

    @Test func `Wide letters may stand on either side of a break`() {
        #expect(Wrap.lines("木の実を集める", width: 5).map(\.string) == ["木の", "実を", "集め", "る"])
    }

    @Test func `Blank lines, indentation and the prefix are kept`() {
        let body = SafeText(body: "a\n\n    let x = 1\n   ")
        #expect(Wrap.lines(body, width: 40, prefix: "| ").map(\.string) == ["| a", "|", "|     let x = 1", "|"])
    }

    @Test func `No line is wider than asked, and nothing but spaces is lost`() {
        var random = Seeded.fresh()
        for _ in 0..<3000 {
            let text = SafeText(body: random.text(scalars: Int.random(in: 0...200, using: &random)))
            let width = Int.random(in: 2...200, using: &random)
            let lines = Wrap.lines(text, width: width)
            #expect(lines.allSatisfy { $0.columns <= width }, "seed \(random.seed)")
            let ink = { (text: String) in text.unicodeScalars.filter { $0 != " " && $0 != "\n" } }
            #expect(lines.flatMap { ink($0.string) } == Array(ink(text.string)), "seed \(random.seed)")
        }
    }

    @Test func `A shade that hangs on no emoji, and joins the next one, is as wide as it is drawn`() {
        let text = SafeText(line: String(repeating: "\u{1F4F5}\u{1F3FD}\u{200D}\u{1F4F7}\u{1F3FC}", count: 20))
        for width in 2...20 {
            #expect(Wrap.lines(text, width: width).allSatisfy { $0.columns <= width }, "\(width) columns")
        }
    }

    /// To look for a cluster's end from each of its scalars took 100 s for the first of them, thousands of times as
    /// long as what has as many clusters. Processor time, and a factor of 100, say so on a busy machine too.
    @Test(arguments: ["\u{E33}", "\u{903}", "\u{1100}", "\u{600}", "\u{1F3FB}", "\u{915}\u{94D}"])
    func `A text of one cluster takes about as long as another of its size`(_ joined: String) {
        let plain = processorTime(wrapping: "\u{E01}")
        let took = processorTime(wrapping: joined)
        #expect(took < 100 * plain)
    }

    /// Processor time of this thread, in nanoseconds, for the longest post that repeats a text.
    private func processorTime(wrapping repeated: String) -> UInt64 {
        let text = SafeText(body: String(repeating: repeated, count: 65_536 / repeated.utf8.count))
        func now() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }
        let start = now()
        let lines = Wrap.lines(text, width: 80)
        _ = text.truncated(to: 80)
        let end = now()
        #expect(lines.allSatisfy { $0.columns <= 80 })
        #expect(lines.reduce(0) { $0 + $1.string.unicodeScalars.count } == text.string.unicodeScalars.count)
        return end - start
    }

    @Test func `Letters that join without end are still broken`() {
        let joined = SafeText(line: String(repeating: "\u{915}\u{94D}", count: 200))
        #expect(Wrap.lines(joined, width: 40).allSatisfy { $0.columns <= 40 })
    }
}
