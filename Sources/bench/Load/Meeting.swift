import Foundation
import Transport

/// A pair's two nodes, each a process of its own, and what they spent from the word whom to call until both held the same.
struct Meeting {
    let sender: RunningNode
    let receiver: RunningNode
    let spent: Meter.Spent
    private let meter: Meter
    private let relay: DelayedLink?

    /// What the nodes meet over.
    enum Wire {
        case loopback
        /// Each byte takes so many milliseconds longer.
        case delayed(Double)
    }

    /// What the nodes meet for.
    enum End {
        /// The receiver has stored all that the sender has.
        case stored
        /// Both know that they hold the same.
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

    /// Of two nodes that exchanged as many posts, and were in step until the wire between them was cut, and have been running ever since; meanwhile the sender
    /// was given new posts.
    init(again pair: inout Pair, posts: Int, bytes: Int, _ common: CommonOptions, over wire: Wire = .loopback) throws {
        // What they told each other of where they are called would have them meet before their time.
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
        // Nothing but the meeting is in its time: not who is called, nor that its key is noted, as it is the first time, nor what
        // is waited for.
        try receiver.home.writePeers(["\(sender.status().node)@\(relay?.address ?? sender.address)"])
        let expected = try receiver.expecting(what: sender.home)
        meter = try Meter([sender, receiver])
        try receiver.callPeers()
        var spent: Meter.Spent?
        switch end {
        case .stored:
            let meter = meter
            try expected.wait(seconds: seconds) { spent = try meter.read() }
        case .inStep: try receiver.waitUntilInStep()
        }
        self.spent = try spent ?? meter.read()
    }

    /// Bytes on the wire until both know that they hold the same: something is said of what was stored.
    func bytesUntilInStep() throws -> Double {
        try receiver.waitUntilInStep()
        return try meter.read().wire
    }

    func end() {
        receiver.stop()
        sender.stop()
    }
}
