import Foundation
import Transport

/// The nodes of a pair, each in its own process, and what they spent from the command to dial until the end of the
/// exchange.
struct Meeting {
    let sender: RunningNode
    let receiver: RunningNode
    let spent: Meter.Spent
    private let meter: Meter
    private let relay: DelayedLink?

    /// The link between the nodes.
    enum Wire {
        case loopback
        /// Each byte is delayed by so many milliseconds.
        case delayed(Double)
    }

    /// The end of the exchange.
    enum End {
        /// The receiver has stored all that the sender has.
        case stored
        /// Both nodes know that they hold the same.
        case inStep
    }

    init(
        _ pair: Pair,
        _ common: CommonOptions,
        over wire: Wire = .loopback,
        until end: End = .stored,
        within seconds: Double = 600
    ) throws {
        try self.init(
            RunningNode(pair.sender, program: common.scurry),
            RunningNode(pair.receiver, program: common.scurry),
            over: wire,
            until: end,
            within: seconds
        )
    }

    /// Two running nodes that exchanged as many posts before, were in step, and lost their connection; then the sender
    /// got new posts, which are measured.
    init(again pair: inout Pair, posts: Int, bytes: Int, _ common: CommonOptions, over wire: Wire = .loopback) throws {
        // With peer exchange they would dial each other before the measurement.
        let sender = try RunningNode(pair.sender, program: common.scurry, ["--no-exchange"])
        let receiver = try RunningNode(pair.receiver, program: common.scurry, ["--no-exchange"])
        let link = try DelayedLink(to: sender.address, milliseconds: 0)
        // A node that has been running has stored something before.
        try pair.add(posts: posts, bytes: bytes, to: sender)
        try receiver.join(link.address)
        try receiver.waitUntilInStep()
        try pair.waitForCursors()
        link.cut()
        try receiver.waitUntilAlone()
        try sender.waitUntilAlone()
        try pair.add(posts: posts, bytes: bytes, to: sender)
        try self.init(sender, receiver, over: wire, until: .stored, within: 60)
    }

    private init(
        _ sender: RunningNode,
        _ receiver: RunningNode,
        over wire: Wire,
        until end: End,
        within seconds: Double
    ) throws {
        (self.sender, self.receiver) = (sender, receiver)
        switch wire {
        case .loopback: relay = nil
        case .delayed(let milliseconds): relay = try DelayedLink(to: sender.address, milliseconds: milliseconds)
        }
        // Set up before the clock starts: the peers file with the sender's key, which would be pinned at first contact,
        // the expected contents, and a connection for the command.
        try receiver.home.writePeers(["\(sender.status().node)@\(relay?.address ?? sender.address)"])
        let expected = try receiver.expecting(what: sender.home)
        let connection = try receiver.connection()
        // The node has accepted it once it answers.
        _ = try connection.send(.status)
        let call = EncodedRequest(.peersChanged)
        meter = try Meter([sender, receiver])
        try connection.begin(call)
        var spent: Meter.Spent?
        switch end {
        case .stored:
            let meter = meter
            try expected.wait(seconds: seconds) { spent = try meter.read() }
        case .inStep: try receiver.waitUntilInStep()
        }
        self.spent = try spent ?? meter.read()
        guard case .done = try connection.response(to: call) else {
            throw BenchError("the node did not read its peers")
        }
    }

    /// Bytes on the wire until both know that they hold the same, which includes messages after the last post was
    /// stored.
    func bytesUntilInStep() throws -> Double {
        try receiver.waitUntilInStep()
        return try meter.read().wire
    }

    func end() {
        receiver.stop()
        sender.stop()
    }
}
