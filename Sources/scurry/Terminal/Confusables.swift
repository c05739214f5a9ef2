/// Letters that look like others, and the text that each is folded to.
///
/// Folding too much only makes a tag longer; folding too little lets one person pass for another.
enum Confusables {
    /// Look-alikes of capitals whose small letter looks like something else.
    static let capitals: [Unicode.Scalar: String] = table([
        ("\u{399}\u{406}\u{4C0}|", "l"), ("\u{397}", "h"), ("\u{39D}", "n"), ("\u{3A5}\u{4AE}", "y"), ("\u{393}", "r"),
        ("\u{13A0}", "d"), ("\u{13A1}\u{13D2}", "r"), ("\u{13A2}", "t"), ("\u{13A5}", "l"), ("\u{13AA}", "a"),
        ("\u{13AB}", "j"), ("\u{13AC}", "e"), ("\u{13B3}\u{13D4}", "w"), ("\u{13B7}", "m"), ("\u{13BB}", "h"),
        ("\u{13BD}", "y"), ("\u{13C0}", "g"), ("\u{13C3}", "z"), ("\u{13CF}\u{13F4}", "b"),
        ("\u{13D5}\u{13DA}", "s"), ("\u{13D9}", "v"), ("\u{13DE}", "l"), ("\u{13DF}", "c"), ("\u{13E2}", "p"),
        ("\u{13E6}", "k"),
    ])

    /// Look-alikes of small letters and digits.
    static let letters: [Unicode.Scalar: String] = table([
        // Latin beside ASCII, and ASCII itself.
        ("0øɵ", "o"), ("1|!iıɩɪłƚɫ", "l"), ("5ƽ", "s"), ("ɑɐ", "a"), ("ƀɓ", "b"), ("ƈ", "c"), ("đɖɗ", "d"),
        ("ɛəɘ", "e"),
        ("ƒ", "f"), ("ɡɠ", "g"), ("ħɦ", "h"), ("ɉʝȷ", "j"), ("ƙ", "k"), ("ɱ", "m"), ("ŋɲɳ", "n"), ("ƥ", "p"),
        ("ʠ", "q"),
        ("ɍɼɽɾ", "r"), ("ʂ", "s"), ("ŧƫƭʈ", "t"), ("ʊʋ", "u"), ("ʍ", "w"), ("ƴɏʏ", "y"), ("ƶʐʑ", "z"), ("æ", "ae"),
        ("œ", "oe"), ("ß", "ss"), ("þ", "p"),
        // Cyrillic.
        ("а", "a"), ("вьъ", "b"), ("с", "c"), ("ԁ", "d"), ("еєҽ", "e"), ("ғ", "f"), ("нһ", "h"), ("іӏ", "l"),
        ("ј", "j"),
        ("кқ", "k"), ("м", "m"), ("п", "n"), ("оѳө", "o"), ("р", "p"), ("ԛ", "q"), ("г", "r"), ("ѕ", "s"), ("т", "t"),
        ("ц", "u"), ("ѵ", "v"), ("ԝш", "w"), ("хҳ", "x"), ("уүұ", "y"), ("з", "3"),
        // Greek.
        ("α", "a"), ("β", "b"), ("ϲ", "c"), ("δ", "d"), ("ε", "e"), ("ϝ", "f"), ("η", "n"), ("ι", "l"), ("ϳ", "j"),
        ("κ", "k"), ("μ", "m"), ("ν", "v"), ("οσς", "o"), ("ρ", "p"), ("τ", "t"), ("υ", "u"), ("ω", "w"), ("χ", "x"),
        ("γ", "y"), ("ζ", "z"),
        // Armenian, and dashes and quotation marks.
        ("օ", "o"), ("ս", "u"), ("ո", "n"), ("հ", "h"), ("ց", "g"), ("զ", "q"), ("յ", "j"), ("ա", "w"),
        ("\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}_", "-"),
        ("\u{2018}\u{2019}\u{2BC}\u{2B9}\u{2032}`", "'"),
    ])

    /// Two letters that look like one.
    static let pairs: [(String, Character)] = [("rn", "m"), ("vv", "w")]

    private static func table(_ rows: [(String, String)]) -> [Unicode.Scalar: String] {
        var table: [Unicode.Scalar: String] = [:]
        for (scalars, letter) in rows {
            for scalar in scalars.unicodeScalars { table[scalar] = letter }
        }
        return table
    }
}
