/// Means over a series of broadcasts.
package struct GossipFigures: Hashable, Sendable {
    /// Share of the nodes alive that a broadcast reached.
    package var reliability = 0.0
    /// Share of the nodes alive that the worst broadcast reached.
    package var worst = 1.0
    /// Share of the broadcasts that reached every node alive.
    package var whole = 0.0
    /// Hops until the last node was reached.
    package var lastHop = 0.0
    /// Relative message redundancy: messages with the entry, for each node reached but the author's, less 1.
    package var redundancy = 0.0
    /// Milliseconds until the last node was reached.
    package var lastMilliseconds = 0.0
    /// Membership messages for each node and minute, with one entry a second in the whole network.
    package var membershipMessages = 0.0
    /// Membership bytes for each node and minute.
    package var membershipBytes = 0.0
    /// Messages of the broadcast tree, without entries, for each node and minute.
    package var treeMessages = 0.0
    /// Bytes of the broadcast tree, without entries, for each node and minute.
    package var treeBytes = 0.0
    /// KeepAlive bytes for each node and minute.
    package var aliveBytes = 0.0
}

extension GossipTown {
    package enum Authors: Sendable {
        case anybody
        case one(UInt32)
    }

    /// Starts `count` broadcasts, one a second, waits `wait` milliseconds after the last, and returns the means.
    package mutating func measure(_ count: Int, by authors: Authors, wait: UInt64) -> GossipFigures {
        let before = traffic
        let begun = now
        let living = alive.count
        let first = broadcasts.count
        for _ in 0..<count {
            let author =
                switch authors {
                case .anybody: anybody()
                case .one(let node): node
                }
            _ = broadcast(from: author)
            run(until: now + 1_000)
        }
        run(until: now + wait)
        var figures = GossipFigures()
        for number in first..<broadcasts.count {
            let broadcast = broadcasts[number]
            let share = Double(broadcast.reached) / Double(living)
            figures.reliability += share / Double(count)
            figures.worst = min(figures.worst, share)
            if broadcast.reached == living { figures.whole += 1 / Double(count) }
            figures.lastHop += Double(broadcast.lastHop) / Double(count)
            figures.lastMilliseconds += Double(broadcast.lastAt - broadcast.begun) / Double(count)
            let pushes = Double(broadcast.pushes) / Double(max(broadcast.reached - 1, 1))
            figures.redundancy += (pushes - 1) / Double(count)
            broadcasts[number].forget()
        }
        firstOpen = broadcasts.count
        let sent = traffic.since(before)
        let nodeMinutes = Double(living) * Double(now - begun) / 60_000
        figures.membershipMessages = Double(sent.membership.messages) / nodeMinutes
        figures.membershipBytes = Double(sent.membership.bytes) / nodeMinutes
        figures.treeMessages = Double(sent.tree.messages) / nodeMinutes
        figures.treeBytes = Double(sent.tree.bytes) / nodeMinutes
        figures.aliveBytes = Double(sent.alive.bytes) / nodeMinutes
        return figures
    }
}
