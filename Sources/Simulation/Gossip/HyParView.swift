package import Entries
internal import Sync

// No node runs this: it is the machine of the paper, which `simulate gossip` measures (benchmarks/gossip.md). The
// tree of a node is in NodeMachine+Branches.

/// The membership protocol: two partial views of the network (HyParView, DSN 2007).
///
/// The *active view* are the neighbours, a symmetric relation; their connections detect failures. The *passive view*
/// are nodes that replace failed neighbours, kept fresh by shuffles. Neither grows with the network.
///
/// Unlike in the paper, a link is always agreed on: a node adds a neighbour only once that accepts. Messages cross on
/// real connections, and a view that adds ahead of the answer stays one-sided. A node that takes this one for its
/// neighbour, and is none here, is told so.
package struct HyParView: Sendable {
    /// The reason to ask a node to be a neighbour.
    private enum Reason: Hashable {
        /// Its walk ended here, or this node is new: room is made for it.
        case walk
        /// The active view has room.
        case room
    }

    private struct Question {
        let node: NodeID
        let reason: Reason
        /// Whether it was asked before the last cycle.
        var isOld = false
    }

    package let own: NodeID
    /// At most `GossipLimits.activeViewCount`, without `own`, each once.
    package private(set) var active: [NodeID] = []
    /// At most `GossipLimits.passiveViewCount`, without `own`, each once, and nobody who is active.
    package private(set) var passive: [NodeID] = []
    private var questions: [Question] = []
    /// Nodes of the passive view that refused since the last cycle.
    private var refusers: [NodeID] = []
    /// The nodes named in the last shuffle; nil once it was answered.
    private var shuffled: [NodeID]?
    private var walks = 0
    private var chance: Chance

    /// Begins with empty views; every choice follows from the seed.
    package init(own: NodeID, seed: UInt64) {
        self.own = own
        chance = Chance(seed: seed)
    }

    /// Whether no node is known: the caller has to name one.
    package var isAlone: Bool { active.isEmpty && passive.isEmpty && questions.isEmpty }

    package mutating func received(_ event: MembershipEvent) -> [MembershipEffect] {
        var effects: [MembershipEffect] = []
        switch event {
        case .join(let contact):
            guard contact != own, !active.contains(contact) else { break }
            ask(contact, .walk, with: .join, &effects)
        case .received(let message, let sender):
            // A message that carries this node's own id is not from another node.
            guard sender != own else { break }
            take(message, from: sender, &effects)
        case .failed(let node):
            passive.removeAll { $0 == node }
            questions.removeAll { $0.node == node }
            if let place = active.firstIndex(of: node) {
                active.remove(at: place)
                effects.append(.down(node))
            }
            fill(&effects)
        case .cycle:
            turn(&effects)
        }
        return effects
    }

    // MARK: Messages

    private mutating func take(_ message: MembershipMessage, from sender: NodeID, _ effects: inout [MembershipEffect]) {
        switch message {
        case .join:
            // The walk starts from every other neighbour; the limit keeps a crowd that joins again and again from
            // making a flood.
            add(sender, &effects)
            effects.append(.send(.accept, to: sender))
            guard spendWalk() else { return }
            for node in active where node != sender {
                effects.append(.send(.forwardJoin(sender, hopsLeft: GossipLimits.activeWalkHops), to: node))
            }
        case .forwardJoin(let newcomer, let hopsLeft):
            forward(newcomer, hopsLeft, from: sender, &effects)
        case .neighbour(let priority):
            let isTaken =
                switch priority {
                case .high: true
                case .low: active.contains(sender) || active.count < GossipLimits.activeViewCount
                }
            if isTaken { add(sender, &effects) }
            effects.append(.send(isTaken ? .accept : .reject, to: sender))
        case .accept:
            accepted(sender, &effects)
        case .reject:
            guard let place = questions.firstIndex(where: { $0.node == sender }) else { return }
            questions.remove(at: place)
            refuse(sender)
            fill(&effects)
        case .disconnect:
            guard let place = active.firstIndex(of: sender) else { return }
            active.remove(at: place)
            effects.append(.down(sender))
            keep(sender, insteadOf: [])
            refuse(sender)
            fill(&effects)
        case .shuffle(let origin, let hopsLeft, let sample):
            shuffle(origin, hopsLeft, sample, from: sender, &effects)
        case .shuffleReply(let sample):
            guard sample.count <= GossipLimits.shuffleSampleCount else { return effects.append(.violation(sender)) }
            guard let named = shuffled else { return }
            shuffled = nil
            for node in sample { keep(node, insteadOf: named) }
        }
    }

    private mutating func forward(
        _ newcomer: NodeID,
        _ hopsLeft: Int,
        from sender: NodeID,
        _ effects: inout [MembershipEffect]
    ) {
        guard (0...GossipLimits.activeWalkHops).contains(hopsLeft) else { return effects.append(.violation(sender)) }
        correct(sender, &effects)
        guard newcomer != own, spendWalk() else { return }
        let next = hopsLeft > 0 && active.count > 1 ? neighbour(except: [sender, newcomer]) : nil
        guard let next else {
            if !active.contains(newcomer) { ask(newcomer, .walk, with: .neighbour(.high), &effects) }
            return
        }
        if hopsLeft == GossipLimits.passiveWalkHops { keep(newcomer, insteadOf: []) }
        effects.append(.send(.forwardJoin(newcomer, hopsLeft: hopsLeft - 1), to: next))
    }

    private mutating func accepted(_ sender: NodeID, _ effects: inout [MembershipEffect]) {
        let question = questions.firstIndex { $0.node == sender }.map { questions.remove(at: $0) }
        guard !active.contains(sender) else { return }
        let hasRoom =
            switch question?.reason {
            case .walk: true
            case .room: active.count < GossipLimits.activeViewCount
            case nil: false
            }
        if hasRoom {
            add(sender, &effects)
        } else {
            effects.append(.send(.disconnect, to: sender))
        }
    }

    private mutating func shuffle(
        _ origin: NodeID,
        _ hopsLeft: Int,
        _ sample: [NodeID],
        from sender: NodeID,
        _ effects: inout [MembershipEffect]
    ) {
        guard (0...GossipLimits.shuffleWalkHops).contains(hopsLeft), sample.count <= GossipLimits.shuffleSampleCount
        else { return effects.append(.violation(sender)) }
        correct(sender, &effects)
        guard origin != own, spendWalk() else { return }
        if hopsLeft > 0, active.count > 1, let next = neighbour(except: [sender, origin]) {
            effects.append(.send(.shuffle(origin: origin, hopsLeft: hopsLeft - 1, sample: sample), to: next))
            return
        }
        let answer = passive.sample(min(sample.count + 1, GossipLimits.shuffleSampleCount), &chance)
        effects.append(.send(.shuffleReply(answer), to: origin))
        for node in sample + [origin] { keep(node, insteadOf: answer) }
    }

    /// A sender that takes this node for its neighbour and is none here: a message was lost.
    private func correct(_ sender: NodeID, _ effects: inout [MembershipEffect]) {
        if !active.contains(sender) { effects.append(.send(.disconnect, to: sender)) }
    }

    // MARK: Cycles

    private mutating func turn(_ effects: inout [MembershipEffect]) {
        walks = 0
        refusers = []
        questions.removeAll(where: \.isOld)
        for place in questions.indices { questions[place].isOld = true }
        fill(&effects)
        guard let next = neighbour(except: []) else { return }
        let sample =
            active.filter { $0 != next }.sample(GossipLimits.shuffleActiveCount, &chance)
            + passive.sample(GossipLimits.shufflePassiveCount, &chance)
        shuffled = sample
        effects.append(
            .send(.shuffle(origin: own, hopsLeft: GossipLimits.shuffleWalkHops, sample: sample), to: next)
        )
    }

    private mutating func spendWalk() -> Bool {
        walks += 1
        return walks <= GossipLimits.walksPerCycle
    }

    // MARK: Views

    /// Asks as many nodes of the passive view as the active view has room for.
    private mutating func fill(_ effects: inout [MembershipEffect]) {
        while active.count + questions.count < GossipLimits.activeViewCount {
            let candidates = passive.filter { node in
                !refusers.contains(node) && !questions.contains { $0.node == node }
            }
            guard let node = candidates.randomElement(using: &chance) else { return }
            let isUrgent = active.isEmpty && questions.isEmpty
            ask(node, .room, with: .neighbour(isUrgent ? .high : .low), &effects)
        }
    }

    private mutating func refuse(_ node: NodeID) {
        guard refusers.count < GossipLimits.passiveViewCount, passive.contains(node), !refusers.contains(node)
        else { return }
        refusers.append(node)
    }

    /// Asks a node to be a neighbour. At most twice as many questions as neighbours are open, so that invented
    /// newcomers do not make this node dial them all.
    private mutating func ask(
        _ node: NodeID,
        _ reason: Reason,
        with message: MembershipMessage,
        _ effects: inout [MembershipEffect]
    ) {
        guard questions.count < 2 * GossipLimits.activeViewCount, !questions.contains(where: { $0.node == node })
        else { return }
        questions.append(Question(node: node, reason: reason))
        effects.append(.send(message, to: node))
    }

    /// Makes a node a neighbour; a full view drops one at random.
    private mutating func add(_ node: NodeID, _ effects: inout [MembershipEffect]) {
        guard !active.contains(node) else { return }
        passive.removeAll { $0 == node }
        if active.count >= GossipLimits.activeViewCount, let dropped = neighbour(except: []) {
            active.removeAll { $0 == dropped }
            effects.append(.down(dropped))
            effects.append(.send(.disconnect, to: dropped))
            keep(dropped, insteadOf: [])
        }
        active.append(node)
        effects.append(.up(node))
    }

    /// Puts a node into the passive view; if that is full, one of `named`, which the other side knows now, gives way
    /// first.
    private mutating func keep(_ node: NodeID, insteadOf named: [NodeID]) {
        guard node != own, !active.contains(node), !passive.contains(node) else { return }
        if passive.count >= GossipLimits.passiveViewCount {
            let leaving = passive.firstIndex(where: named.contains)
            passive.remove(at: leaving ?? Int.random(in: passive.indices, using: &chance))
        }
        passive.append(node)
    }

    private mutating func neighbour(except others: [NodeID]) -> NodeID? {
        active.filter { !others.contains($0) }.randomElement(using: &chance)
    }
}

extension [NodeID] {
    /// Up to `count` elements at random, each once.
    fileprivate func sample(_ count: Int, _ chance: inout Chance) -> [NodeID] {
        var rest = self
        var chosen: [NodeID] = []
        while chosen.count < count, !rest.isEmpty {
            chosen.append(rest.remove(at: Int.random(in: rest.indices, using: &chance)))
        }
        return chosen
    }
}
