import Entries
import Sodium

/// What peers say and prove of the log that is written here (`protocol/own-log.md`).
extension NodeMachine {
    /// Nothing more may be signed: the store refuses too, once it has taken the stop.
    package var isSigningStopped: Bool { own?.isStopped ?? false }

    /// A peer shows what it holds of the own log.
    mutating func shown(_ answer: OwnLogAnswer, by id: SessionID) throws(SyncViolation) {
        guard let link = links[id], let own, link.ownLog == .asked, answer.log == own.log else {
            throw .unaskedAnswer
        }
        links[id]?.ownLog = .answered
        links[id]?.progressAt = time
        self.own?.note(shown: answer.size)
        let here = frontier.log(own.log)
        if own.isStopped || setAside.contains(own.log) {
            // It is fetched like any log, or not at all.
            offer(LogSize(log: own.log, size: answer.size), by: id, as: .compared)
        } else if answer.size > own.size {
            claimed(answer, by: id)
        } else if answer.size == 0 || here == nil {
            // Who does not carry it is no witness: nothing of it goes there anyway.
            if answer.size > 0 || carriesOwn(link) { self.own?.agreed(link.node) }
        } else if answer.size == own.size {
            weigh(answer, own: here.map { frontier.root($0) }, id)
        } else {
            let request = drawRequest()
            links[id]?.ownLog = .checking(request, answer)
            effects.append(.readPrefix(request, own.log, end: answer.size))
        }
    }

    private mutating func weigh(_ answer: OwnLogAnswer, own root: Bytes32?, _ id: SessionID) {
        guard let node = links[id]?.node, own?.isStopped == false else { return }
        if answer.root == root { own?.agreed(node) } else { claimed(answer, by: id) }
    }

    /// Anybody may say so: the peer is asked for what it claims, and until then nothing new leaves.
    private mutating func claimed(_ answer: OwnLogAnswer, by id: SessionID) {
        guard let node = links[id]?.node, let size = own?.size else { return }
        own?.claimed(node, now: time)
        let from = min(answer.size - 1, size)
        if from > 0 {
            let request = drawRequest()
            links[id]?.ownLog = .preparing(request, from: from, answer)
            effects.append(.readPrefix(request, answer.log, end: from))
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

    /// The store's own nodes; true if that was what the request was for.
    mutating func readOwnLog(_ request: RequestID, _ nodes: [Bytes32]?) -> Bool {
        for id in order {
            if let showing = links[id]?.ownLogShowing, showing.request == request {
                links[id]?.ownLogShowing = nil
                showPublished(nodes, showing.end, to: id)
                return true
            }
            switch links[id]?.ownLog {
            case .checking(request, let answer):
                links[id]?.ownLog = .answered
                // What cannot be read says neither.
                if let root = Self.root(nodes, answer.size) { weigh(answer, own: root, id) }
            case .preparing(request, let end, let claim):
                links[id]?.ownLog = .answered
                if let range = nodes.flatMap({ LogRange(bounds: 0..<end, nodes: $0) }) {
                    askForProof(of: claim, over: range, id)
                } else if let own {
                    queue(own.log)
                }
            case .comparing(request, let shown):
                links[id]?.ownLog = .answered
                guard let root = Self.root(nodes, shown.size) else { break }
                if root == shown.root { refuted(by: id) } else { diverged(shown.size, shared: shown.size, by: id) }
            case .some(.none), .asked, .checking, .preparing, .proving, .showing, .weighing, .comparing, .answered, nil:
                continue
            }
            return true
        }
        return false
    }

    private static func root(_ nodes: [Bytes32]?, _ size: UInt64) -> Bytes32? {
        nodes.flatMap { LogRange(bounds: 0..<size, nodes: $0)?.root }
    }

    // MARK: The proof

    /// The range over which a chunk is to prove what its sender claimed; nil if it is no such chunk.
    mutating func takeProof(_ chunk: UnverifiedChunk, from id: SessionID) -> LogRange? {
        // What comes without the certificate that was asked for is what the peer was about to push when it was asked.
        guard case .proving(let range, _) = links[id]?.ownLog, chunk.log == own?.log,
            chunk.start == range.bounds.upperBound, chunk.certificate != nil
        else { return nil }
        links[id]?.ownLog = .answered
        links[id]?.progressAt = time
        return range
    }

    /// A peer that is to prove its claim has not got the entries; false if it is not to.
    ///
    /// That does not say that there are none: they may be what it left out. It has the tree of the size that it claims, and a
    /// head, if the claim is true.
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

    /// Nothing follows from a claim, neither way.
    private mutating func withdrawn(by id: SessionID) {
        if let node = links[id]?.node { own?.withdrawn(node) }
        // While it was to prove that, nothing else of the log was asked of it.
        if let own { queue(own.log) }
    }

    /// What a peer shows that lacks the entries it claimed; false if it was not asked for that.
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
        let request = drawRequest()
        links[id]?.ownLog = .weighing(request, claim, size: proof.size)
        effects.append(.weighPrefix(request, claim.log, proof))
        return true
    }

    /// What the store and the signature say of that; false if the request was for something else.
    mutating func weighedOwnLog(_ request: RequestID, _ weight: PrefixWeight) -> Bool {
        for id in order {
            guard case .weighing(request, let claim, let size) = links[id]?.ownLog else { continue }
            links[id]?.ownLog = .answered
            guard let own else { return true }
            switch weight {
            case .lie: violated(id, .falseFork)
            case .compared(_, .same) where size <= own.size: refuted(by: id)
            case .compared(_, .same), .beyond(.head):
                guard size > own.size else { return withdrawClaim(of: id) }
                stopSigning(.longer, shown: size, by: id)
                offer(LogSize(log: own.log, size: size), by: id, as: .compared)
                // It was offered before, and not asked for while the claim was to be proven.
                queue(own.log)
            case .compared(_, .question), .compared(_, .found):
                diverged(size, shared: claim.size, by: id)
            case .absent, .unknownRoot, .beyond(.settled), .beyond(.cut), .compared(_, .lie):
                return withdrawClaim(of: id)
            }
            return true
        }
        return false
    }

    private mutating func withdrawClaim(of id: SessionID) -> Bool {
        withdrawn(by: id)
        return true
    }

    /// While a peer is to prove its claim, nothing else of the log is asked of it: one answer is enough.
    func isProving(_ log: LogID, _ id: SessionID) -> Bool {
        guard log == own?.log, let question = links[id]?.ownLog else { return false }
        return switch question {
        case .preparing, .proving, .showing, .weighing: true
        case .none, .asked, .checking, .comparing, .answered: false
        }
    }

    /// Entries that the own device signed: are they the ones that stand here?
    mutating func proven(_ verified: VerifiedChunk, over range: LogRange, by id: SessionID) {
        guard let own, !own.isStopped, own.log == verified.log, verified.start <= own.size else { return }
        let shared = min(verified.end, own.size)
        var theirs = range
        for entry in verified.entries.prefix(Int(shared - verified.start)) { theirs.append(leaf: entry.id.raw) }
        guard shared == own.size else {
            guard let root = theirs.root else { return }
            let request = drawRequest()
            links[id]?.ownLog = .comparing(request, OwnLogAnswer(log: own.log, size: shared, root: root))
            effects.append(.readPrefix(request, own.log, end: shared))
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

    /// What the peer showed is here: its claim was none.
    private mutating func refuted(by id: SessionID) {
        guard let node = links[id]?.node, let log = own?.log else { return }
        own?.agreed(node)
        queue(log)
    }

    /// The own device signed something else.
    private mutating func diverged(_ shown: UInt64, shared: UInt64, by id: SessionID) {
        guard let log = own?.log else { return }
        stopSigning(.otherBranch, shown: shown, by: id)
        setApart(log, end: shared, by: id)
    }

    /// Nothing more of the own log is taken where it was not sent from here; else the first difference is looked for.
    mutating func setApart(_ log: LogID, end: UInt64, by id: SessionID) {
        if own?.isWithheld == true {
            setAside(log)
        } else if links[id]?.speaksOfForks == true {
            contest(log, end: end, with: id)
        } else {
            links[id]?.apart.insert(log)
        }
    }

    /// A peer has proven what this home did not write: durable with the transaction that is formed now.
    mutating func stopSigning(_ proof: OwnLogStop.Proof, shown: UInt64, by id: SessionID) {
        guard let node = links[id]?.node, let held = own?.size, let stop = own?.stop(proof) else { return }
        pipeline.change { $0.batch.stop = stop }
        effects.append(.report(.ownLogIsLonger(node, held: held, shown: shown)))
        for other in order where links[other]?.ownLog.isMoot == true {
            links[other]?.ownLog = .answered
        }
    }

    // MARK: What others may know

    /// How much of a log others may have of this home; nil: all that is here.
    func publishedEnd(of log: LogID) -> UInt64? {
        guard let own, own.log == log, own.isWithheld else { return nil }
        return own.published
    }

    /// Whether the store has more of the own log than was told here yet. A head of that may be one that must not leave, and
    /// covers what may: the store is asked again when that was told.
    func isEarly(_ log: LogID, _ size: UInt64) -> Bool {
        own?.log == log && standings[log] == nil && publishedEnd(of: log) == nil && size > frontier.size(of: log)
    }

    /// Asks the store again what it had answered too early. Once nothing more is signed there may be nothing more to tell either,
    /// as of an account that ended meanwhile: who waited for that hears that it is not here, and the link can come to rest.
    mutating func resumeEarly() {
        guard let size = earlySize else { return }
        if let own, !own.isStopped, isEarly(own.log, .max), frontier.size(of: own.log) == size { return }
        earlySize = nil
        for id in order { links[id]?.serving.resume() }
    }

    /// Answers a Hello that names a log.
    mutating func show(_ log: LogID, to id: SessionID) {
        guard let end = publishedEnd(of: log) else {
            let known = frontier.log(log)
            let root = known.map { frontier.root($0) } ?? .zero
            return send(.ownLog(OwnLogAnswer(log: log, size: frontier.size(of: log), root: root)), to: id)
        }
        guard end > 0 else { return showPublished(nil, 0, to: id) }
        let request = drawRequest()
        links[id]?.ownLogShowing = (request, end)
        effects.append(.readPrefix(request, log, end: end))
    }

    private mutating func showPublished(_ nodes: [Bytes32]?, _ end: UInt64, to id: SessionID) {
        guard let log = own?.log else { return }
        let root = Self.root(nodes, end)
        // What cannot be read is not nothing: the peer would take that for agreement.
        guard end == 0 || root != nil else { return close(id, nil) }
        send(.ownLog(OwnLogAnswer(log: log, size: root == nil ? 0 : end, root: root ?? .zero)), to: id)
    }
}
