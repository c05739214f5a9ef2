/// The spread of one entry through the simulated network, with what is measured of it.
struct Broadcast: Sendable {
    /// By node: the hop count with which the entry came; `never`: the node does not have it.
    private var hops: [UInt16]
    private static let never = UInt16.max

    let begun: UInt64
    /// Nodes that have the entry, the author's among them.
    private(set) var reached = 1
    /// Messages that carried the entry itself.
    var pushes = 0
    private(set) var lastHop: UInt16 = 0
    private(set) var lastAt: UInt64

    init(of author: UInt32, among nodes: Int, at now: UInt64) {
        hops = [UInt16](repeating: Self.never, count: nodes)
        hops[Int(author)] = 0
        begun = now
        lastAt = now
    }

    /// Frees the hop counts once the broadcast is measured: from then on every node counts as holding it.
    mutating func forget() { hops = [] }

    func isHeld(by node: UInt32) -> Bool { hops.isEmpty || hops[Int(node)] != Self.never }
    func hops(to node: UInt32) -> UInt32 { hops.isEmpty ? 0 : UInt32(hops[Int(node)]) }

    mutating func arrived(at node: UInt32, after count: UInt32, _ now: UInt64) {
        let count = UInt16(min(count, UInt32(Self.never - 1)))
        hops[Int(node)] = count
        reached += 1
        lastHop = max(lastHop, count)
        lastAt = now
    }
}
