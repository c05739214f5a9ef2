import Entries

/// Dials that no node answered: which of them say that nobody is there, and when a learned address is forgotten for it.
extension PeerBook {
    /// Counts a dial that no node answered.
    ///
    /// Without a connection that says little: this machine may be without a network, or in one that lets nobody out
    /// before a person has logged in. What was found on the local network counts in any case: it comes back by itself,
    /// and is to make room for others of its host. So does this machine itself, to which there is always a way.
    mutating func noAnswer(at address: PeerAddress, links: Int, now: UInt64) {
        table[address]?.unanswered += 1
        guard links > 0 || table[address]?.foundAt != nil || NodeMachine.isLoopback(address.host) else { return }
        guard let count = table[address]?.misses.count, count <= Limits.learnedPeerAttempts else { return }
        table[address]?.misses.append(now)
    }

    /// The last connection with another machine has ended, on which something came last at `heardAt`: dials since then
    /// may have failed for want of a network.
    mutating func lostNetwork(heardAt: UInt64) {
        for address in table.addresses where !NodeMachine.isLoopback(address.host) {
            guard let entry = table[address], entry.foundAt == nil, !entry.misses.isEmpty else { continue }
            table[address]?.misses.removeAll { $0 > heardAt }
        }
    }

    /// Removes a learned address after too many dials without an answer.
    mutating func forgetUnanswered(_ address: PeerAddress) {
        if let entry = table[address], entry.target.origin == .learned, entry.misses.count > Limits.learnedPeerAttempts
        {
            table.remove(address)
        }
    }
}
