import Entries
import Sync

/// How a node handles the messages that it receives.
extension GossipTown {
    mutating func take(_ delivery: Delivery) {
        let node = delivery.to
        let sender = delivery.from
        guard residents[Int(node)].isAlive else { return }
        switch delivery.letter {
        case .membership(let message):
            perform(.received(message, from: Self.name(sender)), at: node)
        case .push(let broadcast, let hops):
            pushed(broadcast, hops, to: node, from: sender)
        case .offers(let offers):
            let lacking = offers.filter { !broadcasts[Int($0.head.size)].isHeld(by: node) }
            if !lacking.isEmpty { perform(.offered(lacking, from: SessionID(raw: UInt64(sender))), at: node) }
        case .graft(let offer):
            perform(.grafted(offer, from: SessionID(raw: UInt64(sender))), at: node)
        case .prune:
            perform(.pruned(from: SessionID(raw: UInt64(sender))), at: node)
        case .alive:
            if spreading == .compare { compare(node, with: sender) }
        case .failed:
            perform(.failed(Self.name(sender)), at: node)
        case .wake:
            residents[Int(node)].wakeAt = .max
            perform(.timer, at: node)
        case .cycle:
            turn(node)
        case .join:
            perform(.join(Self.name(sender)), at: node)
        }
    }

    private mutating func turn(_ node: UInt32) {
        plan(.cycle, to: node, from: node, at: now + GossipLimits.cycleMilliseconds)
        perform(.cycle, at: node)
        for neighbour in residents[Int(node)].views.active {
            traffic.countAlive()
            send(.alive, to: Self.node(neighbour), from: node)
        }
        // As a node without peers dials the addresses of its peers file.
        if residents[Int(node)].views.isAlone, residents.count > 1 {
            let contact = anybody()
            if contact != node { perform(.join(Self.name(contact)), at: node) }
        }
    }

    // MARK: The machines

    private mutating func perform(_ event: MembershipEvent, at node: UInt32) {
        for effect in residents[Int(node)].views.received(event) {
            switch effect {
            case .send(let message, let other):
                traffic.count(message)
                send(.membership(message), to: Self.node(other), from: node)
            case .up(let other):
                perform(.up(SessionID(raw: UInt64(Self.node(other)))), at: node)
                if spreading == .lists { tellLast(to: Self.node(other), from: node) }
            case .down(let other):
                perform(.down(SessionID(raw: UInt64(Self.node(other)))), at: node)
            case .violation:
                traffic.violations += 1
            }
        }
    }

    mutating func perform(_ event: TreeEvent, at node: UInt32) {
        for effect in residents[Int(node)].tree.received(event, at: now) {
            switch effect {
            case .push(let offer, let others):
                let number = Int(offer.head.size)
                guard broadcasts[number].isHeld(by: node) else { continue }
                for other in others { push(number, offer.hops, to: UInt32(other.raw), from: node) }
            case .offer(let offers, let other):
                traffic.count(offers)
                send(.offers(offers), to: UInt32(other.raw), from: node)
            case .graft(let offer, let other):
                traffic.count(offer.map { [$0] } ?? [])
                send(.graft(offer), to: UInt32(other.raw), from: node)
            case .prune(let other):
                traffic.countPrune()
                send(.prune, to: UInt32(other.raw), from: node)
            }
        }
        if let wakeAt = residents[Int(node)].tree.wakeAt, wakeAt < residents[Int(node)].wakeAt {
            residents[Int(node)].wakeAt = wakeAt
            plan(.wake, to: node, from: node, at: wakeAt)
        }
    }

    // MARK: Entries

    private mutating func push(_ broadcast: Int, _ hops: UInt32, to node: UInt32, from sender: UInt32) {
        broadcasts[broadcast].pushes += 1
        send(.push(broadcast: broadcast, hops: hops), to: node, from: sender)
    }

    private mutating func pushed(_ number: Int, _ hops: UInt32, to node: UInt32, from sender: UInt32) {
        let isKnown = broadcasts[number].isHeld(by: node)
        if !isKnown { broadcasts[number].arrived(at: node, after: hops, now) }
        let session = SessionID(raw: UInt64(sender))
        switch spreading {
        case .tree where isKnown, .lists where isKnown: perform(.known(Self.head(number), from: session), at: node)
        case .tree, .lists: perform(.news(HeadOffer(head: Self.head(number), hops: hops), from: session), at: node)
        case .flood: if !isKnown { flood(number, from: node, except: sender) }
        case .compare: break
        }
    }

    /// Offers the entries of the last minute that this node has, 60 at most.
    private mutating func tellLast(to other: UInt32, from node: UInt32) {
        let recent = broadcasts.indices.dropFirst(firstOpen).suffix(60).filter { number in
            broadcasts[number].begun + 60_000 > now && broadcasts[number].isHeld(by: node)
        }
        guard !recent.isEmpty else { return }
        let offers = recent.map { HeadOffer(head: Self.head($0), hops: broadcasts[$0].hops(to: node)) }
        traffic.count(offers)
        send(.offers(offers), to: other, from: node)
    }

    mutating func flood(_ number: Int, from node: UInt32, except source: UInt32) {
        let hops = broadcasts[number].hops(to: node) + 1
        for neighbour in residents[Int(node)].views.active where Self.node(neighbour) != source {
            push(number, hops, to: Self.node(neighbour), from: node)
        }
    }

    /// Pushes to each of two nodes the entries that only the other has, a round trip after the KeepAlive was sent; an
    /// entry that reached both meanwhile is not pushed.
    private mutating func compare(_ node: UInt32, with other: UInt32) {
        for number in firstOpen..<broadcasts.count {
            switch (broadcasts[number].isHeld(by: node), broadcasts[number].isHeld(by: other)) {
            case (true, false): push(number, broadcasts[number].hops(to: node) + 1, to: other, from: node)
            case (false, true): push(number, broadcasts[number].hops(to: other) + 1, to: node, from: other)
            case (true, true), (false, false): break
            }
        }
    }
}
