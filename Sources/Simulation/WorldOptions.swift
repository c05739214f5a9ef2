/// Settings of a `World`; the same options and the same calls give the same run.
package struct WorldOptions: Sendable {
    package var seed: UInt64
    package var chunking = Chunking.whole
    /// One-way latency, drawn for each message; milliseconds.
    package var latencyMilliseconds: ClosedRange<UInt64> = 5...5
    /// How long the verifier or the store takes for one request, milliseconds.
    package var workMilliseconds: ClosedRange<UInt64> = 1...1
    /// Wall clock at the start, Unix milliseconds.
    package var wallMilliseconds: UInt64 = 1_700_000_000_000
    package var trace = Trace.off

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// How received bytes are split before the machine gets them.
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

/// SplitMix64: the only source of randomness in a simulation.
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
