internal import Sync

/// Nodes that leave for good, and what goes with them.
extension Trial {
    /// Those that have not left.
    var present: [Site] { sites.filter { !$0.isGone } }

    /// Somebody is to leave in the midst of an answer, and counts once such a moment has come: so it is false here.
    func sendAway() {
        let choices = present.filter { $0.isRunning && $0.farewell == nil }
        guard !choices.isEmpty else { return }
        let site = choices[Int(leaving.next() % UInt64(choices.count))]
        guard canDoWithout(site) else { return }
        site.farewell = Site.Ambush(moment: .answer) { [unowned self, unowned site] in
            // Others may have left since.
            guard canDoWithout(site) else { return }
            site.depart()
            faults[.departure, default: 0] += 1
            ambushes[.answer, default: 0] += 1
            excuseLosses()
        }
    }

    /// Two at least stay, some two in three of all, and they find each other.
    private func canDoWithout(_ site: Site) -> Bool {
        let present = present
        guard 3 * present.count > 2 * sites.count, present.count > 2 else { return false }
        return areJoined(present.filter { $0.number != site.number })
    }

    /// Whether the addresses that persons listed join these nodes: they are called for ever, and learned ones are not.
    private func areJoined(_ nodes: [Site]) -> Bool {
        let numbers = Dictionary(uniqueKeysWithValues: nodes.map { (Site.address($0.number), $0.number) })
        var neighbours: [Int: [Int]] = [:]
        for site in nodes {
            for target in site.peers where target.origin == .listed {
                guard let other = numbers[target.address] else { continue }
                neighbours[site.number, default: []].append(other)
                neighbours[other, default: []].append(site.number)
            }
        }
        var reached: Set<Int> = []
        var next = nodes.prefix(1).map(\.number)
        while let number = next.popLast() {
            if reached.insert(number).inserted { next += neighbours[number] ?? [] }
        }
        return reached.count == nodes.count
    }
}

extension Site {
    /// The process is killed, and nobody ever starts it again.
    func depart() {
        crash()
        isGone = true
        isWanted = false
        trial.trace.note(trial.now, number, "depart")
    }
}
