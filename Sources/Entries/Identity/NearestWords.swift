extension WordList {
    private static let suggestions = 3
    // The longest word has eight letters: a much longer input is no typing error, and costs no time here.
    private static let maximumLetters = 16

    /// Up to three words at the smallest edit distance from the input, in the list's order; none if every letter would
    /// change.
    package static func nearest(to typed: String) -> [String] {
        let letters = Array(typed.utf8.prefix(maximumLetters + 1))
        guard letters.count <= maximumLetters else { return [] }
        var best = letters.count
        var words: [String] = []
        for word in english {
            let distance = editDistance(letters, Array(word.utf8))
            if distance < best {
                best = distance
                words = []
            }
            if distance == best, distance < letters.count, words.count < suggestions {
                words.append(String(word))
            }
        }
        return words
    }

    /// Edit distance: insertions, deletions, replacements, and swaps of neighbours.
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before: [Int] = []
        var above = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var distance = min(above[j] + (left[i] == right[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    distance = min(distance, before[j - 1] + 1)
                }
                row.append(distance)
            }
            before = above
            above = row
        }
        return above[right.count]
    }
}
