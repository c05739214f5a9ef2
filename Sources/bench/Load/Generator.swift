/// SplitMix64 (Steele, Lea, Flood 2014): the seeded source of every choice in a load.
struct Generator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// A text of words as long as English ones, so that sizes and line breaks are those of real posts.
    mutating func text(bytes count: Int) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(count + 10)
        while text.count < count {
            // One draw gives twelve letters.
            var draw = next()
            let length = 2 + draw % 8
            draw /= 8
            for _ in 0..<length {
                text.append(97 + UInt8(draw % 26))
                draw /= 26
            }
            text.append(UInt8(ascii: " "))
        }
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}
