/// The size of a QR code: version 1 to 15, with error correction level M (ISO/IEC 18004, tables 1, 9 and E.1).
struct QRVersion: Equatable, Sendable {
    let number: Int
    /// Error correction codewords in each block, and the number of blocks.
    private let correction: (codewords: Int, blocks: Int)

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    private static let corrections: [(Int, Int)] = [
        (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5), (30, 5), (22, 8),
        (22, 9), (24, 9), (24, 10),
    ]

    /// The smallest version that holds so many bytes; nil if none of these does (412 is the most).
    init?(holding count: Int) {
        for (index, correction) in Self.corrections.enumerated() {
            let version = QRVersion(number: index + 1, correction: correction)
            guard version.dataCodewords * 8 >= 4 + version.countBits + count * 8 else { continue }
            self = version
            return
        }
        return nil
    }

    private init(number: Int, correction: (Int, Int)) {
        self.number = number
        self.correction = correction
    }

    /// Side length in modules.
    var side: Int { 17 + 4 * number }

    /// Bits of the byte count field.
    var countBits: Int { number < 10 ? 8 : 16 }

    var blocks: Int { correction.blocks }
    var correctionCodewords: Int { correction.codewords }
    var dataCodewords: Int { codewords - correction.codewords * correction.blocks }

    /// Number of codewords: the modules free of function patterns, in bytes.
    var codewords: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let patterns = number / 7 + 2
            modules -= (25 * patterns - 10) * patterns - 55
            if number >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// The coordinates of the centres of alignment patterns.
    var alignment: [Int] {
        guard number > 1 else { return [] }
        let count = number / 7 + 2
        let last = side - 7
        guard count > 2 else { return [6, last] }
        let step = (last - 6 + (count - 1) * 2 - 1) / ((count - 1) * 2) * 2
        return [6] + (0..<count - 1).map { last - $0 * step }.reversed()
    }
}
