/// Traffic besides entries, in messages and bytes, by purpose.
package struct GossipTraffic: Hashable, Sendable {
    package struct Share: Hashable, Sendable {
        package var messages = 0
        package var bytes = 0

        mutating func add(_ bytes: Int) {
            messages += 1
            self.bytes += bytes
        }
    }

    /// HyParView's messages, JOIN to SHUFFLE.
    package internal(set) var membership = Share()
    /// Plumtree's IHAVE, GRAFT and PRUNE.
    package internal(set) var tree = Share()
    /// A KeepAlive to each neighbour every cycle, by which failed nodes are detected.
    package internal(set) var alive = Share()
    /// Messages that broke a bound; none, among honest nodes.
    package internal(set) var violations = 0

    /// Bytes of a frame's header and the channel's tag, as on the wire.
    static let headBytes = 5 + 16
    /// Bytes of a node's id with an address.
    static let nodeBytes = 58
    /// Bytes of a log id with size and hops.
    static let offerBytes = 41
    /// Bytes of the usual KeepAlive.
    static let aliveBytes = headBytes + 28

    mutating func count(_ message: MembershipMessage) {
        let body =
            switch message {
            case .join, .accept, .reject, .disconnect: 0
            case .neighbour: 2
            case .forwardJoin: Self.nodeBytes + 2
            case .shuffle(_, _, let sample): Self.nodeBytes * (sample.count + 1) + 2
            case .shuffleReply(let sample): Self.nodeBytes * sample.count
            }
        membership.add(Self.headBytes + body)
    }

    mutating func count(_ offers: [HeadOffer]) {
        tree.add(Self.headBytes + offers.count * Self.offerBytes)
    }

    mutating func countPrune() { tree.add(Self.headBytes) }
    mutating func countAlive() { alive.add(Self.aliveBytes) }

    func since(_ earlier: GossipTraffic) -> GossipTraffic {
        var difference = self
        difference.membership.messages -= earlier.membership.messages
        difference.membership.bytes -= earlier.membership.bytes
        difference.tree.messages -= earlier.tree.messages
        difference.tree.bytes -= earlier.tree.bytes
        difference.alive.messages -= earlier.alive.messages
        difference.alive.bytes -= earlier.alive.bytes
        return difference
    }
}
