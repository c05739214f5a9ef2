/// How the world behaves; with the same options and the same calls it does the same.
package struct WorldOptions: Sendable {
    package var seed: UInt64
    package var chunking = Chunking.whole
    /// One way, milliseconds.
    package var latencyMilliseconds: ClosedRange<UInt64> = 5...5
    /// How long verifier and store take for a batch, milliseconds.
    package var workMilliseconds: ClosedRange<UInt64> = 1...1
    /// The wall clock at the beginning, Unix milliseconds.
    package var wallMilliseconds: UInt64 = 1_700_000_000_000
    package var trace = Trace.off

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// How the bytes of a connection are cut.
    package enum Chunking: Hashable, Sendable {
        /// As they were sent.
        case whole
        case pieces(of: Int)
        case random(upTo: Int)
    }

    package enum Trace: Hashable, Sendable {
        case off
        case on
    }
}

/// SplitMix64: the world's only chance.
struct WorldChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
