/// Short forms of ids: prefixes that are unique among the posts or people shown.
///
/// It takes whole ids in lower-case base32, and knows nothing else of them.
enum ShortID {
    /// Letters of a prefix at least: fewer are hard to tell apart, and seldom stay unique.
    static let lettersAtLeast = 4

    /// The shortest prefix of each id, in the order given, that no other id in the list shares; equal ids share theirs.
    static func prefixes(of ids: [String]) -> [String] {
        let sorted = Array(Set(ids)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var lengths: [String: Int] = [:]
        lengths.reserveCapacity(sorted.count)
        for (index, id) in sorted.enumerated() {
            let before = index > 0 ? shared(sorted[index - 1], id) : 0
            let after = index + 1 < sorted.count ? shared(id, sorted[index + 1]) : 0
            lengths[id] = max(lettersAtLeast, max(before, after) + 1)
        }
        return ids.map { String($0.prefix(lengths[$0] ?? $0.count)) }
    }

    /// Length of the common prefix of two ids.
    private static func shared(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }
}
