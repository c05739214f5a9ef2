import Testing

@testable import scurry

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("hazel", 5), ("木の実", 6), ("ｆｕｌｌ", 8), ("e\u{301}", 1), ("é", 1), ("·─▌−↳…", 6),
        ("\u{1F43F}\u{FE0F}", 2), ("\u{1F43F}", 1), ("🦔", 2), ("👩🏽‍🔬", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("1\u{FE0F}\u{20E3}", 2),
        ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("क्ष", 2), ("\u{200B}", 0), ("שלום", 4),
        ("\u{20000}", 2), ("☺\u{FE0F}", 2), ("☺", 1),
    ])
    func `Columns of a text`(text: String, columns: Int) {
        #expect(DisplayWidth.columns(of: text) == columns)
    }

    @Test func `The ranges are sorted and disjoint`() {
        for (range, next) in zip(WideRanges.all, WideRanges.all.dropFirst()) {
            #expect(range.first <= range.last && range.last < next.first)
        }
        #expect(WideRanges.all.count > 80)
    }
}
