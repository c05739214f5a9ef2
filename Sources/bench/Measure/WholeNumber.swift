import ArgumentParser

/// Whole numbers on the command line: those out of bounds end in a usage error, and in no trap of a measurement.
enum WholeNumber {
    /// The greatest: a crowd's posts are 25 s apart and end yesterday, and many more would begin before 1970.
    private static let most = 50_000_000

    /// - Throws: `ValidationError` for a word that is no number from 1 on.
    @Sendable
    static func atLeastOne(_ text: String) throws -> Int { try number(text, in: 1...most) }

    /// - Throws: `ValidationError` for a word that is no number from 0 on.
    @Sendable
    static func atLeastZero(_ text: String) throws -> Int { try number(text, in: 0...most) }

    private static func number(_ text: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ValidationError("it takes a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
