/// A QR code of bytes (ISO/IEC 18004): byte mode, error correction level M, the mask with the least penalty.
struct QRCode: Equatable, Sendable {
    private(set) var version: QRVersion
    private var modules: [Bool]
    private var isFunction: [Bool]

    var side: Int { version.side }

    /// Encodes the bytes; nil for more than 412.
    init?(_ bytes: [UInt8]) {
        guard let version = QRVersion(holding: bytes.count) else { return nil }
        self.version = version
        modules = Array(repeating: false, count: version.side * version.side)
        isFunction = modules
        drawFunctionPatterns()
        draw(QRCode.interleaved(QRCode.data(bytes, version), version))
        let candidates = (0..<8).map { masked($0) }
        let penalties = candidates.map { QRPenalty($0).total }
        let best = penalties.indices.min { penalties[$0] < penalties[$1] } ?? 0
        self = candidates[best]
    }

    /// True for a dark module; outside of the symbol everything is light.
    subscript(x: Int, y: Int) -> Bool {
        (0..<side).contains(x) && (0..<side).contains(y) && modules[y * side + x]
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<side).contains(x), (0..<side).contains(y) else { return }
        modules[y * side + x] = isDark
        isFunction[y * side + x] = true
    }

    // MARK: Codewords

    /// Mode, count, bytes, terminator and padding.
    private static func data(_ bytes: [UInt8], _ version: QRVersion) -> [UInt8] {
        var bits: [Bool] = []
        let append = { (value: Int, count: Int) in
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }
        append(0b0100, 4)
        append(bytes.count, version.countBits)
        for byte in bytes { append(Int(byte), 8) }
        let capacity = version.dataCodewords * 8
        append(0, min(4, capacity - bits.count))
        append(0, (8 - bits.count % 8) % 8)
        var pad = 0xEC
        while bits.count < capacity {
            append(pad, 8)
            pad ^= 0xEC ^ 0x11
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    /// Data and correction codewords of all blocks, interleaved; the shorter blocks come first.
    private static func interleaved(_ data: [UInt8], _ version: QRVersion) -> [UInt8] {
        let short = data.count / version.blocks
        let longer = data.count % version.blocks
        var blocks: [[UInt8]] = []
        var rest = data[...]
        for index in 0..<version.blocks {
            let count = index < version.blocks - longer ? short : short + 1
            blocks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let corrections = blocks.map { ReedSolomon.remainder(of: $0, count: version.correctionCodewords) }
        var result: [UInt8] = []
        for index in 0...short { result += blocks.compactMap { index < $0.count ? $0[index] : nil } }
        for index in 0..<version.correctionCodewords { result += corrections.map { $0[index] } }
        return result
    }

    // MARK: Drawing

    private mutating func drawFunctionPatterns() {
        for index in 0..<side {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
        for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
            for dy in -4...4 {
                for dx in -4...4 {
                    let ring = max(abs(dx), abs(dy))
                    set(x + dx, y + dy, ring != 2 && ring != 4)
                }
            }
        }
        let places = version.alignment
        for (row, y) in places.enumerated() {
            for (column, x) in places.enumerated() {
                let last = places.count - 1
                // The corners have finder patterns.
                if [[0, 0], [0, last], [last, 0]].contains([row, column]) { continue }
                for dy in -2...2 {
                    for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
        drawFormat(0)
        drawVersion()
    }

    /// Level M and the mask, twice, each with its check bits (§7.9).
    private mutating func drawFormat(_ mask: Int) {
        var remainder = mask
        for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
        let bits = (mask << 10 | remainder) ^ 0x5412
        let bit = { (index: Int) in bits >> index & 1 == 1 }
        for index in 0...5 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(side - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, side - 15 + index, bit(index)) }
        set(8, side - 8, true)
    }

    /// The version, twice, from 7 on (§7.10).
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        var remainder = version.number
        for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11) * 0x1F25 }
        let bits = version.number << 12 | remainder
        for index in 0..<18 {
            let (far, near) = (side - 11 + index % 3, index / 3)
            set(far, near, bits >> index & 1 == 1)
            set(near, far, bits >> index & 1 == 1)
        }
    }

    /// Draws the codewords in columns of two, from the right, alternately upwards and downwards (§7.7.3).
    private mutating func draw(_ codewords: [UInt8]) {
        var place = 0
        var right = side - 1
        var isUpward = true
        while right >= 1 {
            if right == 6 { right = 5 }
            for step in 0..<side {
                let y = isUpward ? side - 1 - step : step
                for x in [right, right - 1] where !isFunction[y * side + x] && place < codewords.count * 8 {
                    modules[y * side + x] = codewords[place / 8] >> UInt8(7 - place % 8) & 1 == 1
                    place += 1
                }
            }
            right -= 2
            isUpward.toggle()
        }
    }

    private func masked(_ mask: Int) -> QRCode {
        var code = self
        for y in 0..<side {
            for x in 0..<side where !isFunction[y * side + x] && QRCode.isInverted(mask, x, y) {
                code.modules[y * side + x].toggle()
            }
        }
        code.drawFormat(mask)
        return code
    }

    /// Table 10, with i the row and j the column.
    private static func isInverted(_ mask: Int, _ j: Int, _ i: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }
}
