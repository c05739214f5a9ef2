import Entries
import Sodium

/// Serving: questions of peers, and their answers from the store (`protocol/sync.md` §5, §7 to §9).
extension NodeMachine {
    mutating func heardWant(_ wants: [RangeWant], from id: SessionID) throws(SyncViolation) {
        guard let waiting = links[id]?.serving.wantsCount else { return }
        guard waiting + wants.count <= Limits.wantsUnanswered else { throw .tooManyQuestions }
        let wants = links[id]?.windows == .spoken ? wants : wants.map(\.whole)
        for want in wants {
            guard want.branch == .held, let log = frontier.log(want.log) else { continue }
            links[id]?.known.raise(log, to: want.from)
        }
        for want in wants {
            enqueue(want, for: id)
            askForBeginning(want, by: id)
        }
    }

    /// Queues a want: identities take turns of one log each, the newest logs first.
    private mutating func enqueue(_ want: RangeWant, for id: SessionID) {
        guard let log = frontier.log(want.log) else {
            // Nothing of the log is here: `lacking` delays nobody, so it goes first.
            links[id]?.serving.wants.add(want, of: nil, rank: .min)
            return
        }
        if case .until = want.extent {
            // Chunks for gaps go behind everything else of their writer.
            links[id]?.serving.wants.add(want, of: frontier.owner(log), rank: 0)
            return
        }
        let newest = min(frontier.seconds(log), UInt32(clamping: now.wallMilliseconds / 1_000))
        links[id]?.serving.wants.add(want, of: frontier.owner(log), rank: -Int64(newest))
    }

    mutating func heardBodiesWanted(_ places: [BodyPlace], from id: SessionID) throws(SyncViolation) {
        guard let waiting = links[id]?.serving.places.count else { return }
        guard waiting + places.count <= Limits.bodiesUnanswered else { throw .tooManyQuestions }
        links[id]?.serving.places.append(contentsOf: places)
    }

    mutating func heardPrefixWanted(_ question: PrefixQuestion, from id: SessionID) throws(SyncViolation) {
        guard let serving = links[id]?.serving else { return }
        guard serving.proofsCount < Limits.prefixesUnanswered else { throw .tooManyQuestions }
        links[id]?.serving.prefixes.append(question)
        // The peer met a difference. If that lies in a gap here, only the peer can show it.
        guard gaps.contains(question.log), standings[question.log]?.standing.isComplete != true,
            isShared(question.log, with: id), !isClosed(question.log)
        else { return }
        contest(question.log, end: min(question.end, stored(question.log)), with: id)
    }

    mutating func heardNodesWanted(_ question: NodesQuestion, from id: SessionID) throws(SyncViolation) {
        guard let serving = links[id]?.serving else { return }
        guard serving.proofsCount < Limits.prefixesUnanswered else { throw .tooManyQuestions }
        links[id]?.serving.nodes.append(question)
    }

    /// Sends the answers that the credit allows, and asks the store for a proof, which takes no credit.
    mutating func serve(_ id: SessionID) {
        guard links[id]?.serving.isIdle == false, hasRoom(id) else { return }
        for frame in links[id]?.serving.releaseHeld() ?? [] { send(frame, to: id) }
        guard let reading = links[id]?.serving.nextProof() else { return }
        let request = questions.open(.serving(id))
        switch reading {
        case .prefix(let question) where links[id]?.speaksOfForks == true:
            effects.append(.readPrefixProof(request, question.log, end: question.end))
        case .prefix(let question): effects.append(.readPrefix(request, question.log, end: question.end))
        case .nodes(let question): effects.append(.readNodes(request, question.log, question.place))
        case .bodies, .ranges: break
        }
    }

    /// Asks the store for entries and bodies that peers want, of each peer in turn where there is room for the answer.
    mutating func readOn() {
        guard !order.isEmpty, !readTurns.isFull else { return }
        let first = readTurns.first(order)
        for turn in 0..<order.count where !readTurns.isFull {
            let id = order[(first + turn) % order.count]
            guard isAwake(id), links[id]?.serving.isWaiting == true, hasRoom(id) else { continue }
            let most = isCrowded ? Limits.chunksMessageBytes : Limits.readBytes
            guard let (reading, limit) = links[id]?.serving.nextReading(atMost: most) else { continue }
            let request = questions.open(.serving(id))
            readTurns.begin(request, by: id)
            switch reading {
            case .bodies(let places): effects.append(.readBodies(request, places, byteLimit: limit))
            case .ranges(let tickets):
                effects.append(.readRanges(request, tickets.map(\.element), byteLimit: limit))
            case .prefix, .nodes: break
            }
        }
    }

    // MARK: The store's answers

    /// What becomes of the store's answer to one want.
    private enum Served {
        case chunk(UnverifiedChunk)
        /// The peer is told that nothing is here.
        case lacking
        /// The same of a want for a gap.
        case lackingBefore
        /// It goes beyond the own entries that the machine knows of: the store is asked again later.
        case early
    }

    private func served(_ answer: RangeAnswer, _ want: RangeWant, to id: SessionID) -> Served {
        let lacking = want.isForGap ? Served.lackingBefore : .lacking
        guard case .chunk(let chunk) = answer else { return lacking }
        if isEarly(want.log, chunk.size) { return own?.isStopped == true ? lacking : .early }
        guard !chunk.isHidden(own), isShared(want.log, with: id) else { return lacking }
        // In version 1 only heads prove chunks.
        return chunk.proof != .known || links[id]?.speaksOfForks == true ? .chunk(chunk) : lacking
    }

    mutating func serveRanges(_ answers: [RangeAnswer], to id: SessionID) {
        guard case .ranges(let tickets) = links[id]?.serving.endReading() else { return }
        var chunks: [UnverifiedChunk] = []
        var lacking: [LogID] = []
        var lackingBefore: [LogID] = []
        var early: [Turns<RangeWant>.Ticket] = []
        var hasBrought = false
        for (ticket, answer) in zip(tickets, answers) {
            let want = ticket.element
            switch served(answer, want, to: id) {
            case .lacking: lacking.append(want.log)
            case .lackingBefore: lackingBefore.append(want.log)
            case .early: early.append(ticket)
            case .chunk(let chunk):
                chunks.append(chunk)
                let end = chunk.start + chunk.count
                if let log = frontier.log(want.log) {
                    // A peer known to hold more was not behind.
                    hasBrought = hasBrought || links[id]?.known.size(log) ?? 0 < end
                    links[id]?.known.raise(log, to: end)
                }
                if end < chunk.size { enqueue(want.goingOn(from: end), for: id) }
            }
        }
        links[id]?.serving.wants.putBack(tickets.dropFirst(answers.count))
        if !early.isEmpty {
            earlySize = own.map { frontier.size(of: $0.log) }
            links[id]?.serving.putOff(early)
        }
        guard !chunks.isEmpty || !lacking.isEmpty || !lackingBefore.isEmpty else { return }
        if hasBrought { links[id]?.comparison.pace.brought() }
        links[id]?.serving.held.append(
            contentsOf: Chunks.frames(chunks, lacking: lacking, lackingBefore: lackingBefore, number: nil)
        )
        links[id]?.calm.disturb(now: time)
    }

    mutating func serveBodies(_ answers: [BodyAnswer], to id: SessionID) {
        guard case .bodies(let places) = links[id]?.serving.endReading() else { return }
        links[id]?.serving.places.append(contentsOf: places.dropFirst(answers.count))
        var lot: [BodyAnswer] = []
        var bytes = 0
        for found in answers {
            let isHidden =
                found.place.sequence >= publishedEnd(of: found.place.log) ?? .max
                || isEarly(found.place.log, found.place.sequence + 1)
                || !isShared(found.place.log, with: id)
            let answer = isHidden ? BodyAnswer(place: found.place, payload: nil) : found
            let more = (answer.payload?.count ?? 0) + 64
            if bytes + more > Limits.chunksMessageBytes, !lot.isEmpty {
                links[id]?.serving.held.append(Message.bodies(lot).frame)
                (lot, bytes) = ([], 0)
            }
            lot.append(answer)
            bytes += more
        }
        if !lot.isEmpty { links[id]?.serving.held.append(Message.bodies(lot).frame) }
        links[id]?.calm.disturb(now: time)
    }

    /// Answers a peer of version 1, to which no proof is shown.
    mutating func servePrefix(_ nodes: [Bytes32]?, to id: SessionID) {
        guard case .prefix(let question) = links[id]?.serving.endReading() else { return }
        // It might look like a lie: none is sent of a log forgotten, or changed by words, since.
        if nodes == nil, forgotten.contains(question.log, now: time) { return }
        if let known = standings[question.log], nodes == nil || known.settlement != nil { return }
        let isHidden = question.end > publishedEnd(of: question.log) ?? .max
        let shown = isHidden ? [] : nodes ?? []
        send(.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: shown)), to: id)
    }

    mutating func serveProof(_ proof: PrefixProof?, to id: SessionID) {
        guard case .prefix(let question) = links[id]?.serving.endReading() else { return }
        let isUntold = proof.map { isEarly(question.log, $0.size) } ?? false
        if isUntold, own?.isStopped == false {
            earlySize = frontier.size(of: question.log)
            links[id]?.serving.putOff(question)
            return
        }
        // The head that proves it would cover entries that may not leave.
        let isOpen = publishedEnd(of: question.log) == nil && isShared(question.log, with: id)
        let proof = isOpen && !isUntold ? proof : nil
        let answer =
            proof.map { PrefixAnswer(log: question.log, $0) }
            ?? PrefixAnswer(log: question.log, end: question.end, nodes: [])
        send(.prefix(answer), to: id)
    }

    mutating func serveNodes(_ nodes: [Bytes32]?, to id: SessionID) {
        guard case .nodes(let question) = links[id]?.serving.endReading() else { return }
        let isOpen = publishedEnd(of: question.log) == nil && isShared(question.log, with: id)
        let hashes = isOpen ? nodes ?? [] : []
        send(.nodes(NodesAnswer(log: question.log, place: question.place, hashes: hashes)), to: id)
    }

    /// Answers although the read failed: to the peer it is the same as nothing being here, where that is no lie.
    mutating func serveFailure(to id: SessionID) {
        switch links[id]?.serving.endReading() {
        case .ranges(let tickets):
            let wants = tickets.map(\.element)
            links[id]?.serving.held.append(
                contentsOf: Chunks.frames(
                    [],
                    lacking: wants.filter { !$0.isForGap }.map(\.log),
                    lackingBefore: wants.filter(\.isForGap).map(\.log),
                    number: nil
                )
            )
        case .bodies(let places):
            let answers = places.map { BodyAnswer(place: $0, payload: nil) }
            links[id]?.serving.held.append(Message.bodies(answers).frame)
        case .prefix(let question):
            // To a peer of version 1 an empty prefix would be a lie (§9): it gets no answer, and asks elsewhere.
            guard links[id]?.speaksOfForks == true else { return }
            send(.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: [])), to: id)
        case .nodes(let question):
            send(.nodes(NodesAnswer(log: question.log, place: question.place, hashes: [])), to: id)
        case nil: break
        }
    }

    /// Gives credit back once it is worth a message.
    mutating func refund(_ id: SessionID) {
        guard links[id]?.grantedCredit.isRefundDue == true, let bytes = links[id]?.grantedCredit.refund() else {
            return
        }
        send(.credit(bytes), to: id)
    }
}

extension RangeWant {
    /// The want as a peer without windows would send it.
    fileprivate var whole: RangeWant {
        RangeWant(log: log, from: from, certificate: certificate, branch: branch)
    }

    /// Whether it asks to fill a gap.
    fileprivate var isForGap: Bool {
        switch extent {
        case .all, .newest: false
        case .until: true
        }
    }
}

extension UnverifiedChunk {
    /// Whether the chunk is of the own log and may not leave yet.
    fileprivate func isHidden(_ own: OwnLog?) -> Bool {
        own.map { $0.log == log && $0.hides(to: start + count) } ?? false
    }
}
