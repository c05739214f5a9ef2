import Entries

/// The number of terminal columns of a text: wide characters take two, combining ones none.
///
/// The unit is the grapheme cluster. The table is that of Unicode 15.1 (East Asian Width W and F); properties of
/// joining and combining come from the standard library. Terminals disagree about emoji sequences: keep them out of
/// aligned columns.
enum DisplayWidth {
    /// Columns of a text without line breaks or control characters, 0 or more.
    static func columns(of text: some StringProtocol) -> Int {
        if let ascii = columnsOfASCII(text.utf8) { return ascii }
        return text.reduce(into: 0) { $0 += columns(of: $1) }
    }

    /// Columns of one grapheme cluster: 0, 1, 2, or more where a terminal draws its parts side by side.
    static func columns(of cluster: Character) -> Int {
        if let ascii = cluster.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
        var total = 0
        var previous: Unicode.Scalar?
        var isJoined = false
        for scalar in cluster.unicodeScalars {
            switch scalar.value {
            case 0x200D:
                isJoined = true
            case 0xFE0F:
                if let previous, previous.properties.isEmoji { total = max(total, 2) }
            case 0x1F3FB...0x1F3FF where previous?.properties.isEmojiModifierBase == true:
                break
            case 0x1F1E6...0x1F1FF where previous.map { (0x1F1E6...0x1F1FF).contains($0.value) } == true:
                break
            default:
                if !isJoined || !scalar.properties.isEmoji { total += columns(of: scalar) }
                isJoined = false
            }
            previous = scalar
        }
        return total
    }

    /// Columns of one scalar by itself: 0, 1 or 2.
    static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        if takesNoColumn(scalar) { return 0 }
        return isWide(value) ? 2 : 1
    }

    private static func takesNoColumn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true  // Hangul vowels and finals are drawn into the syllable.
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return scalar.properties.isDefaultIgnorableCodePoint
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        if (0x1F1E6...0x1F1FF).contains(value) { return true }  // Half a flag: the cautious answer.
        let place = WideRanges.all.partitioningIndex { $0.last >= value }
        return place < WideRanges.all.count && WideRanges.all[place].first <= value
    }

    /// The count of bytes where all of them are printable ASCII, else nil.
    private static func columnsOfASCII(_ bytes: some Sequence<UInt8>) -> Int? {
        var count = 0
        for byte in bytes {
            guard byte >= 0x20, byte < 0x7F else { return nil }
            count += 1
        }
        return count
    }
}
