import Testing

@testable import scurry

struct LookAlikeTests {
    @Test(arguments: [
        "Hazel", "HAZEL", "haze1", "h\u{430}z\u{435}l", "ｈａｚｅｌ", "𝐡𝐚𝐳𝐞𝐥", "h a z e l", "ha\u{200B}zel", "házel",
        "hazeI",
        "haze|", "\u{397}\u{391}\u{396}\u{395}L", "\u{4BB}azel", "ha\u{2800}zel",
    ])
    func `All of these are hazel`(name: String) {
        #expect(LookAlike.fold(name) == LookAlike.fold("hazel"))
    }

    @Test(arguments: [
        ("modern", "modem"), ("vvillow", "willow"), ("r0wan", "rowan"), ("\u{406}an", "lan"), ("straße", "strasse"),
        ("Åse", "ase"), ("S\u{3BF}nja", "sonja"), ("5am", "sam"), ("\u{13A0}an", "Dan"), ("ﬁn", "fin"),
        ("o’hara", "o'hara"),
    ])
    func `Pairs that look alike`(one: String, other: String) {
        #expect(LookAlike.fold(one) == LookAlike.fold(other))
    }

    @Test(arguments: [("hazel", "basil"), ("木", "本"), ("rowan", "rowen"), ("🦔", "🐿"), ("anna", "hanna")])
    func `Different names stay different`(one: String, other: String) {
        #expect(LookAlike.fold(one) != LookAlike.fold(other))
    }

    @Test func `Folding twice is folding once`() {
        var random = Seeded.fresh()
        for _ in 0..<2000 {
            let name = random.text(scalars: 12)
            let once = LookAlike.fold(name)
            #expect(Array(LookAlike.fold(once).utf8) == Array(once.utf8), "seed \(random.seed)")
        }
    }
}

struct NameRuleTests {
    @Test(arguments: ["hazel", "Hazel W.", "木の実リス", "O'Hara", "x", "maximilian-alexander-of-redwoods", "🐿️"])
    func `Good names`(name: String) {
        #expect(NameRule.fault(in: name) == nil)
    }

    @Test(
        arguments: [
            ("", .empty), (" ", .empty), ("\u{301}", .empty), ("a\nb", .hidden), ("a\u{202E}b", .hidden),
            ("a\tb", .hidden),
            ("rowan ~xe8b", .reserved), ("#cs193", .reserved), ("rowan (you)", .reserved), ("rowan (Ｙ0U)", .reserved),
            (" a", .spacing),
            ("a  b", .spacing), ("a\u{2003}b", .spacing), (String(repeating: "x", count: 33), .tooWide(columns: 33)),
            (String(repeating: "木", count: 17), .tooWide(columns: 34)),
        ] as [(String, NameRule.Fault)]
    )
    func `Bad names, each with its reason`(name: String, fault: NameRule.Fault) {
        #expect(NameRule.fault(in: name) == fault)
        #expect(!fault.explanation.isEmpty)
    }
}
