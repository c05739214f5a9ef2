// Only this file needs the whole of Foundation, for NFKC, which the essentials lack. A process that loads it for
// nothing else starts about 4 ms later; the store's database library loads it anyway, so here it adds nothing.
import Foundation

/// Folds names so that names that look alike become equal.
///
/// The result is for comparison, never for display: `Hazel`, `hаzеl` in Cyrillic letters and `HAZE1` fold to one text.
enum LookAlike {
    /// The folded name: idempotent, with equal bytes for equal names; empty only for a name that draws nothing.
    static func fold(_ name: String) -> String {
        var folded = foldedOnce(name)
        // A dropped scalar may have kept its neighbours from composing: folded again until nothing changes. The bound
        // is a guess that random names never reached.
        for _ in 0..<8 {
            let again = foldedOnce(folded)
            if again.utf8.elementsEqual(folded.utf8) { break }
            folded = again
        }
        return folded
    }

    private static func foldedOnce(_ name: String) -> String {
        if let ascii = foldedASCII(name) { return joined(ascii) }
        let compatible = name.precomposedStringWithCompatibilityMapping
        let small = replaced(compatible, Confusables.capitals).lowercased()
        let bare = small.decomposedStringWithCompatibilityMapping.unicodeScalars.filter(isDrawn)
        return joined(replaced(String(String.UnicodeScalarView(bare)), Confusables.letters))
    }

    /// The folded name without Unicode tables; nil for a name with other letters than ASCII.
    private static func foldedASCII(_ name: String) -> String? {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let drawn = name.lowercased().unicodeScalars.filter(isDrawn)
        return replaced(String(String.UnicodeScalarView(drawn)), Confusables.letters)
    }

    private static func replaced(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let letter = table[scalar] {
                result += letter
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func joined(_ text: String) -> String {
        var result = ""
        for character in text {
            if let last = result.last, let pair = Confusables.pairs.first(where: { $0.0 == String([last, character]) })
            {
                result.removeLast()
                result.append(pair.1)
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// False for combining marks, spaces, controls and hidden scalars.
    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .spaceSeparator, .lineSeparator, .paragraphSeparator,
            .control, .format:
            false
        default:
            scalar != "\u{2800}" && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
