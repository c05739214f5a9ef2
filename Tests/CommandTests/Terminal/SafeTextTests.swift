import Testing

@testable import scurry

struct SafeTextTests {
    @Test func `Literals and interpolations are sanitised like everything else`() {
        let foreign = "x\u{1B}[2J"
        #expect(SafeText(line: foreign).string == "x␛[2J")
        #expect(("by \(foreign)\n" as SafeText).string == "by x␛[2J ")
    }

    @Test(arguments: [
        ("hazel", 5, "hazel"), ("hazel", 4, "haz…"), ("木の実", 5, "木の…"), ("木の実", 4, "木…"), ("a b", 2, "a…"),
        ("xyz", 0, ""),
    ])
    func `A cut text ends with a mark and keeps to its columns`(text: String, limit: Int, cut: String) {
        #expect(SafeText(line: text).truncated(to: limit).string == cut)
    }

    @Test func `A truncated text is never wider than asked`() {
        var random = Seeded.fresh()
        for _ in 0..<2000 {
            let text = SafeText(line: random.text(scalars: 30))
            let limit = Int.random(in: 0...40, using: &random)
            #expect(text.truncated(to: limit).columns <= limit, "seed \(random.seed)")
        }
    }

    @Test func `Padding counts columns`() {
        #expect(SafeText(line: "木").padded(to: 4).string == "木  ")
        #expect(SafeText(line: "7").padded(toRight: 3).string == "  7")
    }

    @Test(arguments: [
        ("hazel", "hazel"), ("rowan ~xe8b", "rowan _xe8b"), ("rowan (you)", "rowan__you_"), ("a · b", "a _ b"),
        ("", "nameless"),
        ("  x   y ", "x y"), ("rowan（you）", "rowan_you_"), (" ", "nameless"),
    ])
    func `A name cannot pass for what stands around it`(name: String, shown: String) {
        #expect(SafeText(name: name).string == shown)
    }
}
