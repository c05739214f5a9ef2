/// Time, processor time and bytes that nodes spent between two moments.
struct Meter {
    private let nodes: [RunningNode]
    private let begun: Double
    private let cpu: Double
    private let wire: UInt64

    struct Spent {
        /// Seconds by the clock.
        let wall: Double
        /// Processor seconds of all the nodes.
        let cpu: Double
        /// Bytes on the loopback device, headers and acknowledgements included.
        let wire: Double
    }

    init(_ nodes: [RunningNode]) throws {
        self.nodes = nodes
        cpu = try nodes.reduce(0) { try $0 + $1.usage().cpuSeconds }
        wire = try Loopback.bytes()
        begun = Stopwatch.now()
    }

    func read() throws -> Spent {
        let wall = Stopwatch.now() - begun
        let spent = try nodes.reduce(0) { try $0 + $1.usage().cpuSeconds } - cpu
        return Spent(wall: wall, cpu: spent, wire: Double(try Loopback.bytes() - wire))
    }
}
