import Entries

/// Wanted bodies: those of entries that came in the erased form (`protocol/sync.md` §8).
extension NodeMachine {
    /// Asks a peer for bodies that are wanted here, one message at a time.
    mutating func askBodies(_ id: SessionID) {
        guard bodies.count > 0, !bodies.isBusy(id), !pipeline.forming.isFull, hasRoom(id), let node = links[id]?.node
        else { return }
        let places: [BodyPlace]
        if let part = links[id]?.part {
            places = bodies.ask(id, node, waiting: waiting(for: id)) { [frontier] place in
                frontier.log(place.log).map { frontier.holds($0, in: part) } ?? true
            }
        } else {
            places = bodies.ask(id, node, waiting: waiting(for: id))
        }
        guard !places.isEmpty else { return }
        if requests.askedCount(id) == 0 { links[id]?.progressAt = time }
        send(.bodiesWanted(places), to: id)
    }

    /// Takes the bodies of an answer; the store compares each with its entry.
    mutating func heardBodies(_ answers: [BodyAnswer], costing cost: UInt64, from id: SessionID) throws(SyncViolation) {
        guard let node = links[id]?.node else { return }
        guard links[id]?.grantedCredit.take(cost) ?? false else { throw .overCredit }
        links[id]?.progressAt = time
        var rest = cost
        for answer in answers {
            guard bodies.answered(answer.place, by: id) else { throw .unaskedAnswer }
            guard let payload = answer.payload else {
                bodies.lacked(answer.place, by: id)
                continue
            }
            bodies.arrived(answer.place)
            links[id]?.arriving += 1
            let arrival = TakeBatch.BodyArrival(place: answer.place, payload: payload, source: node)
            pipeline.change { $0.put(arrival, from: id, cost: rest) }
            rest = 0
        }
        links[id]?.grantedCredit.release(rest)
    }

    /// Takes over which bodies the store wants, wants no more, has taken and has refused.
    mutating func takeBodies(_ done: Pipeline.Taking, _ report: TakeReport) {
        let sources =
            report.wantedBodies.isEmpty
            ? [:] : Dictionary(done.batch.chunks.compactMap(Self.withholder), uniquingKeysWith: { $1 })
        for place in report.wantedBodies {
            bodies.add(place, of: frontier.log(place.log).map(frontier.owner), from: sources[place.log])
        }
        for place in report.unwantedBodies { bodies.remove(place) }
        let refused = Set(report.refusedBodies)
        for body in done.batch.bodies {
            guard refused.contains(body) else {
                bodies.remove(body.place)
                continue
            }
            bodies.failed(body.place)
            guard let session = order.first(where: { links[$0]?.node == body.source }) else { continue }
            refuse(body, from: session)
        }
    }

    /// The peer that sent a chunk without bodies, and so is not asked for them in the first round; nil for a settled
    /// history, which is stored without bodies whatever came.
    private static func withholder(_ item: TakeBatch.SourcedChunk) -> (LogID, NodeID)? {
        switch item.chunk.proof {
        case .settled: nil
        case .head, .cut, .gap: (item.chunk.log, item.source)
        }
    }

    /// Handles a body that is not the entry's: the peer lies, or has another entry at that place.
    private mutating func refuse(_ body: TakeBatch.BodyArrival, from id: SessionID) {
        let log = body.place.log
        if links[id]?.speaksOfForks == true {
            contest(log, end: min(body.place.sequence + 1, stored(log)), with: id)
        } else if standings[log] == nil, links[id]?.apart.contains(log) == false {
            violated(id, .wrongBody)
        }
    }
}
