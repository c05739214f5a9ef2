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
