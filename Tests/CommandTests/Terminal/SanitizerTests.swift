import Testing

@testable import scurry

struct SanitizerTests {
    @Test(arguments: [
        ("\u{1B}[31mred", "␛[31mred"), ("bell\u{7}", "bell␇"), ("nul\u{0}", "nul␀"), ("del\u{7F}", "del␡"),
        ("csi\u{9B}31m", "csi<U+009B>31m"), ("a\u{202E}b", "a<U+202E>b"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
        ("\u{200E}\u{200F}\u{61C}", "<U+200E><U+200F><U+061C>"), ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
        ("\u{FFF9}a\u{FFFB}", "<U+FFF9>a<U+FFFB>"), ("x\u{E0041}", "x<U+E0041>"),
        ("\u{AD}\u{FEFF}", "<U+00AD><U+FEFF>"),
        ("a\u{200D}b", "a<U+200D>b"), ("a\u{200C}b", "a<U+200C>b"), ("\u{3164}", "<U+3164>"),
        ("a\u{FE0F}", "a<U+FE0F>"),
        ("\u{FFFE}", "<U+FFFE>"),
        ("👩\u{200D}\u{FE0F}", "👩<U+200D><U+FE0F>"), ("cr\rlf", "cr␍lf"), ("\u{301}x", "\u{25CC}\u{301}x"),
    ])
    func `What a terminal obeys or hides is shown`(foreign: String, shown: String) {
        #expect(Sanitizer.line(foreign) == shown)
        #expect(Sanitizer.body(foreign) == shown)
    }

    @Test(arguments: [
        "hazel", "Grüße, 木の実", "👩🏽‍🔬 👨‍👩‍👧‍👦 🐿️ 🏳️‍🌈 1️⃣ ❤️", "👩🏽‍❤️‍💋‍👨🏽", "می‌خواهم", "क्‍ष", "שָׁלוֹם", "Việt e\u{301}", "葛\u{E0100}",
    ])
    func `What people write stays`(text: String) {
        #expect(Sanitizer.line(text) == text)
    }

    @Test func `One line has spaces for breaks and tabs, a body keeps its lines`() {
        #expect(Sanitizer.line("a\r\nb\nc\td") == "a b c d")
        #expect(Sanitizer.body("a\r\nb\nc\td") == "a\nb\nc    d")
    }

    @Test func `A pile of marks is cut with its count`() {
        let pile = "a" + String(repeating: "\u{301}", count: 100) + "b"
        #expect(Sanitizer.line(pile) == "a" + String(repeating: "\u{301}", count: 8) + "<92 more marks>b")
    }

    @Test func `A chain of joined emoji is broken after the longest known one`() {
        let chain = Array(repeating: "👩", count: 6).joined(separator: "\u{200D}")
        #expect(Sanitizer.line(chain) == "👩‍👩‍👩‍👩<U+200D>👩‍👩")
    }

    @Test func `A mark cannot lean on what stands before the text`() {
        #expect(Sanitizer.body("a\n\u{301}b") == "a\n\u{25CC}\u{301}b")
    }

    @Test func `Nothing forbidden remains of random scalars, and a second time changes nothing`() {
        var random = Seeded.fresh()
        for _ in 0..<2000 {
            let text = random.text(scalars: Int.random(in: 0...40, using: &random))
            let line = Sanitizer.line(text)
            let body = Sanitizer.body(text)
            #expect(line.unicodeScalars.allSatisfy { !isDangerous($0) }, "seed \(random.seed)")
            #expect(body.unicodeScalars.allSatisfy { !isDangerous($0) || $0 == "\n" }, "seed \(random.seed)")
            #expect(Sanitizer.line(line) == line, "seed \(random.seed) \(escaped(text))")
            #expect(Sanitizer.body(body) == body, "seed \(random.seed) \(escaped(text))")
        }
    }

    @Test func `Every single scalar is drawn, or shown as its code`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let line = Sanitizer.line(String(scalar))
            if line.unicodeScalars.contains(where: { isDangerous($0) || $0.properties.isDefaultIgnorableCodePoint }) {
                Issue.record("U+\(String(value, radix: 16)) reaches the terminal")
            }
        }
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    /// Written down a second time, from the Unicode charts, not from the sanitiser.
    private func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F,
            0xFEFF, 0xFFF0...0xFFFB, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x34F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
            0xE0000...0xE00FF, 0xE01F0...0xE0FFF:
            true
        default: false
        }
    }
}
