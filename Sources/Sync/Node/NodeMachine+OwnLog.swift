import Entries
import Sodium

/// Claims and proofs of peers about the log that is written here (`protocol/own-log.md`).
extension NodeMachine {
    /// Whether nothing more may be signed; the store refuses too once it has stored the stop.
    package var isSigningStopped: Bool { own?.isStopped ?? false }

    /// Handles OwnLog: the size and root that a peer holds of the own log.
    mutating func heardOwnLog(_ answer: OwnLogAnswer, from id: SessionID) throws(SyncViolation) {
        guard let link = links[id], let own, link.ownLog == .asked, answer.log == own.log else {
            throw .unaskedAnswer
        }
        links[id]?.ownLog = .answered
        links[id]?.progressAt = time
        self.own?.note(shown: answer.size)
        let here = frontier.log(own.log)
        if own.isStopped || setAside.contains(own.log) {
            // A stopped log is fetched like any other, a log set aside not at all.
            offer(LogSize(log: own.log, size: answer.size), by: id, as: .compared)
        } else if answer.size > own.size {
            claimed(answer, by: id)
        } else if answer.size == 0 || here == nil {
            // A peer that does not carry the log is no witness; nothing of it goes there anyway.
            if answer.size > 0 || carriesOwn(link) { self.own?.agreed(link.node) }
        } else if answer.size == own.size {
            weigh(answer, own: here.map { frontier.root($0) }, id)
        } else {
            links[id]?.ownLog = .checking(answer)
            effects.append(.readPrefix(questions.open(.ownNodes(id)), own.log, end: answer.size))
        }
    }

    private mutating func weigh(_ answer: OwnLogAnswer, own root: Bytes32?, _ id: SessionID) {
        guard let node = links[id]?.node, own?.isStopped == false else { return }
        if answer.root == root { own?.agreed(node) } else { claimed(answer, by: id) }
    }

    /// Notes a claim, which any peer may make: it is asked for a proof, and for a while nothing new leaves.
    private mutating func claimed(_ answer: OwnLogAnswer, by id: SessionID) {
        guard let node = links[id]?.node, let size = own?.size else { return }
        own?.claimed(node, now: time)
        let from = min(answer.size - 1, size)
        if from > 0 {
            links[id]?.ownLog = .preparing(from: from, answer)
            effects.append(.readPrefix(questions.open(.ownNodes(id)), answer.log, end: from))
        } else {
            askForProof(of: answer, over: LogRange(), id)
        }
        offer(LogSize(log: answer.log, size: answer.size), by: id, as: .compared)
    }

    private mutating func askForProof(of claim: OwnLogAnswer, over range: LogRange, _ id: SessionID) {
        guard let log = own?.log else { return }
        links[id]?.ownLog = .proving(range, claim)
        links[id]?.progressAt = time
        send(.want([RangeWant(log: log, from: range.bounds.upperBound, certificate: .send)]), to: id)
    }

    /// Takes nodes of the own log that the store was asked for about what a peer says of it. The question may have
    /// become moot meanwhile.
    mutating func readOwnLog(_ nodes: [Bytes32]?, of id: SessionID) {
        switch links[id]?.ownLog {
        case .checking(let answer):
            links[id]?.ownLog = .answered
            // Without readable nodes the peer neither agrees nor claims.
            if let root = Self.root(nodes, answer.size) { weigh(answer, own: root, id) }
        case .preparing(let end, let claim):
            links[id]?.ownLog = .answered
            if let range = nodes.flatMap({ LogRange(bounds: 0..<end, nodes: $0) }) {
                askForProof(of: claim, over: range, id)
            } else if let own {
                queue(own.log)
            }
        case .comparing(let shown):
            links[id]?.ownLog = .answered
            guard let root = Self.root(nodes, shown.size) else { return }
            if root == shown.root { refuted(by: id) } else { diverged(shown.size, shared: shown.size, by: id) }
        case .some(.none), .asked, .proving, .showing, .weighing, .answered, nil: break
        }
    }

    private static func root(_ nodes: [Bytes32]?, _ size: UInt64) -> Bytes32? {
        nodes.flatMap { LogRange(bounds: 0..<size, nodes: $0)?.root }
    }

    // MARK: The proof

    /// The range over which a chunk proves its sender's claim; nil: the chunk answers no claim.
    mutating func takeProof(_ chunk: UnverifiedChunk, from id: SessionID) -> LogRange? {
        // A chunk without the certificate that was asked for is a push that crossed with the question.
        guard case .proving(let range, _) = links[id]?.ownLog, chunk.log == own?.log,
            chunk.start == range.bounds.upperBound, chunk.certificate != nil
        else { return nil }
        links[id]?.ownLog = .answered
        links[id]?.progressAt = time
        return range
    }

    /// Handles `lacking` from a peer that is to prove its claim; false: it is not to.
    ///
    /// The entries may lie in its gap. If the claim is true, it has the tree of the size claimed, and a head, and is
    /// asked for these.
    mutating func lacksProof(_ log: LogID, _ id: SessionID) -> Bool {
        guard log == own?.log, case .proving(_, let claim) = links[id]?.ownLog else { return false }
        links[id]?.progressAt = time
        if links[id]?.speaksOfForks == true {
            links[id]?.ownLog = .showing(claim)
            send(.prefixWanted(PrefixQuestion(log: log, end: claim.size)), to: id)
        } else {
            links[id]?.ownLog = .answered
            withdrawn(by: id)
        }
        queue(log)
        return true
    }

    /// Ends a claim that was neither proven nor refuted.
    private mutating func withdrawn(by id: SessionID) {
        if let node = links[id]?.node { own?.withdrawn(node) }
        // While the claim was open, nothing else of the log was asked of the peer.
        if let own { queue(own.log) }
    }

    /// Handles the prefix and head that a peer shows in place of the entries it claimed; false: it was not asked for
    /// them.
    mutating func showedHead(_ answer: PrefixAnswer, by id: SessionID) throws(SyncViolation) -> Bool {
        guard case .showing(let claim) = links[id]?.ownLog, answer.log == claim.log, answer.end == claim.size
        else { return false }
        links[id]?.ownLog = .answered
        links[id]?.progressAt = time
        guard own?.isStopped == false else {
            queue(claim.log)
            return true
        }
        guard !answer.nodes.isEmpty else {
            withdrawn(by: id)
            return true
        }
        guard let proof = answer.selfContained else { throw .falseFork }
        links[id]?.ownLog = .weighing(claim, size: proof.size)
        effects.append(.weighPrefix(questions.open(.claim(id)), claim.log, proof))
        return true
    }

    /// Judges a claim by the comparison of that prefix with the store, unless it has become moot meanwhile.
    mutating func weighedClaim(_ weight: PrefixWeight, of id: SessionID) {
        guard case .weighing(let claim, let size) = links[id]?.ownLog else { return }
        links[id]?.ownLog = .answered
        guard let own else { return }
        switch weight {
        case .lie: violated(id, .falseFork)
        case .compared(_, .same) where size <= own.size: refuted(by: id)
        case .compared(_, .same), .beyond(.head):
            guard size > own.size else { return withdrawn(by: id) }
            stopSigning(.longer, shown: size, by: id)
            offer(LogSize(log: own.log, size: size), by: id, as: .compared)
            // It was not asked for while the claim was open.
            queue(own.log)
        case .compared(_, .question), .compared(_, .found):
            diverged(size, shared: claim.size, by: id)
        case .absent, .unknownRoot, .beyond(.settled), .beyond(.cut), .compared(_, .lie):
            withdrawn(by: id)
        }
    }

    /// Whether a peer has an open claim about the log: nothing else of the log is asked of it meanwhile, since one
    /// answer is enough.
    func isProving(_ log: LogID, _ id: SessionID) -> Bool {
        guard log == own?.log, let question = links[id]?.ownLog else { return false }
        return switch question {
        case .preparing, .proving, .showing, .weighing: true
        case .none, .asked, .checking, .comparing, .answered: false
        }
    }

    /// Judges a claim by entries that the own device signed: compares them with those held here.
    mutating func proven(_ verified: VerifiedChunk, over range: LogRange, by id: SessionID) {
        guard let own, !own.isStopped, own.log == verified.log, verified.start <= own.size else { return }
        let shared = min(verified.end, own.size)
        var theirs = range
        for entry in verified.entries.prefix(Int(shared - verified.start)) { theirs.append(leaf: entry.id.raw) }
        guard shared == own.size else {
            guard let root = theirs.root else { return }
            links[id]?.ownLog = .comparing(OwnLogAnswer(log: own.log, size: shared, root: root))
            effects.append(.readPrefix(questions.open(.ownNodes(id)), own.log, end: shared))
            return
        }
        let isSame = shared == verified.start || frontier.log(own.log).map { frontier.root($0) } == theirs.root
        if !isSame {
            diverged(verified.end, shared: shared, by: id)
        } else if verified.end > own.size {
            stopSigning(.longer, shown: verified.size, by: id)
            offer(LogSize(log: own.log, size: verified.size), by: id, as: .compared)
        } else {
            refuted(by: id)
        }
    }

    /// Ends a claim whose entries are all here: the peer agrees.
    private mutating func refuted(by id: SessionID) {
        guard let node = links[id]?.node, let log = own?.log else { return }
        own?.agreed(node)
        queue(log)
    }

    /// Stops signing, since the own device signed another branch, and looks for the first difference.
    private mutating func diverged(_ shown: UInt64, shared: UInt64, by id: SessionID) {
        guard let log = own?.log else { return }
        stopSigning(.otherBranch, shown: shown, by: id)
        contestOwnLog(log, end: shared, by: id)
    }

    /// Sets the own log aside if it has unpublished entries; else begins a dispute about it, or in version 1 stops
    /// asking this peer for it.
    private mutating func contestOwnLog(_ log: LogID, end: UInt64, by id: SessionID) {
        if own?.isWithheld == true {
            setAside(log)
        } else if links[id]?.speaksOfForks == true {
            contest(log, end: end, with: id)
        } else {
            links[id]?.apart.insert(log)
        }
    }

    /// Stops signing, since a peer has proven entries that this home did not write; durable with the next transaction.
    mutating func stopSigning(_ proof: OwnLogStop.Proof, shown: UInt64, by id: SessionID) {
        guard let node = links[id]?.node, let held = own?.size, let stop = own?.stop(proof) else { return }
        pipeline.change { $0.batch.stop = stop }
        effects.append(.report(.ownLogIsLonger(node, held: held, shown: shown)))
        for other in order where links[other]?.ownLog.isMoot == true {
            links[other]?.ownLog = .answered
        }
    }

    // MARK: What peers may know

    /// Size up to which peers may get a log; nil: all that is here.
    func publishedEnd(of log: LogID) -> UInt64? {
        guard let own, own.log == log, own.isWithheld else { return nil }
        return own.published
    }

    /// Whether the store answered with more of the own log than this machine was told of. Its head may be one that must
    /// not leave, although it covers entries that may: the store is asked again later.
    func isEarly(_ log: LogID, _ size: UInt64) -> Bool {
        own?.log == log && standings[log] == nil && publishedEnd(of: log) == nil && size > frontier.size(of: log)
    }

    /// Repeats questions that the store answered too early. A stopped log may never catch up (its account ended, say):
    /// then peers are told `lacking`, so that the link can become quiet.
    mutating func resumeEarly() {
        guard let size = earlySize else { return }
        if let own, !own.isStopped, isEarly(own.log, .max), frontier.size(of: own.log) == size { return }
        earlySize = nil
        for id in order { links[id]?.serving.resume() }
    }

    /// Answers a Hello that names `own_log`.
    mutating func show(_ log: LogID, to id: SessionID) {
        guard let end = publishedEnd(of: log) else {
            let known = frontier.log(log)
            let root = known.map { frontier.root($0) } ?? .zero
            return send(.ownLog(OwnLogAnswer(log: log, size: frontier.size(of: log), root: root)), to: id)
        }
        guard end > 0 else { return showPublished(nil, 0, to: id) }
        effects.append(.readPrefix(questions.open(.published(id, end: end)), log, end: end))
    }

    /// Answers that Hello with the published part alone; `nodes` are those of [0, `end`).
    mutating func showPublished(_ nodes: [Bytes32]?, _ end: UInt64, to id: SessionID) {
        guard let log = own?.log else { return }
        let root = Self.root(nodes, end)
        // Size 0 for an unreadable log would count as agreement.
        guard end == 0 || root != nil else { return close(id, nil) }
        send(.ownLog(OwnLogAnswer(log: log, size: root == nil ? 0 : end, root: root ?? .zero)), to: id)
    }
}
