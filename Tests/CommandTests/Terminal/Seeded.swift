@testable import scurry

/// Random numbers that come again with the same seed (SplitMix64).
///
/// `SCURRY_SEED` repeats a failed run; every expectation of a property test prints the seed.
struct Seeded: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    static func fresh() -> Seeded {
        Seeded(seed: Environment.ofProcess()["SCURRY_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Scalars from the places that hurt: controls, marks, joiners, wide ones, emoji, and anything.
    mutating func text(scalars count: Int) -> String {
        let places: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x20...0x7E, 0x61...0x7A, 0x20...0x20, 0x00...0x9F, 0x0300...0x036F, 0x0600...0x06FF,
            0x0900...0x0DFF, 0x1100...0x11FF, 0x180B...0x180F, 0x2000...0x206F, 0x200B...0x200F, 0x3000...0x30FF,
            0x4E00...0x4E80, 0xFE00...0xFE0F, 0xFEFF...0xFFFF, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF, 0x1F400...0x1F4FF,
            0xE0000...0xE01EF, 0x0...0x10FFFF,
        ]
        var text = String.UnicodeScalarView()
        while text.count < count {
            let place = places[Int.random(in: 0..<places.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: place, using: &self)) { text.append(scalar) }
        }
        return String(text)
    }
}
