internal import Entries
internal import Sodium
internal import Storage
internal import Sync

/// Verifies a bundle's chunks against the store and stores what is new, with the verifier of the wire
/// (`protocol/bundle.md` §4).
///
/// Calls block; nothing else may write to the store meanwhile.
struct BundleIntake {
    let store: EntryStore
    let verifier: ChunkVerifier
    private let release: Release

    /// Effect of a bundle that agrees on the own log.
    enum Release: Hashable {
        /// None here: the running node decides.
        case byNode
        /// The whole own log may leave from now on: no node runs.
        case now
    }

    init(_ store: EntryStore, network: NetworkID, release: Release) {
        self.store = store
        self.release = release
        verifier = ChunkVerifier(network: network)
    }

    struct Taking {
        let receipt: BundleReceipt
        /// One for each transaction, in order.
        let reports: [ImportReport]
    }

    /// Imports the content of one or more frames, up to the first fault.
    ///
    /// - Parameters:
    ///   - part: the content.
    ///   - recounts: what the same file made to be counted anew so far; what this part does is added.
    /// - Returns: the results, and the reports of the transactions.
    /// - Throws: `StorageError`; what was stored by then stays.
    func take(_ part: BundlePart, _ recounts: inout BundleRecounts) throws(StorageError) -> Taking {
        var round: Round
        switch part {
        case .chunks(let chunks):
            round = try begin(about: chunks.map(\.log), recounts)
            round.refuse(try store.uncarried(among: chunks.map(\.log)))
            for chunk in chunks {
                let found = try judge(chunk, &round)
                let verdict = round.weighed(found, of: chunk)
                round.receipt.verdicts.append(verdict)
                if case .fault = verdict { break }
            }
        case .words(let words):
            round = try begin(about: words.map(\.log), recounts)
            for said in words {
                guard let fault = try check(said, &round) else { continue }
                round.receipt.verdicts.append(.fault(fault))
                break
            }
        }
        try store(&round)
        recounts = round.recounts
        return Taking(receipt: round.receipt, reports: round.reports)
    }

    private func begin(about logs: [LogID], _ recounts: BundleRecounts) throws(StorageError) -> Round {
        let prefixes = try store.prefixes(of: Array(Set(logs)))
        return Round(
            prefixes: prefixes,
            own: try store.ownRelease(),
            held: prefixes.mapValues { $0.range.bounds.upperBound - UInt64($0.gap?.bounds.count ?? 0) },
            recounts: recounts
        )
    }

    // MARK: The store

    /// Stores the round's batch; later chunks are checked against the result.
    func store(_ round: inout Round) throws(StorageError) {
        try note(&round)
        try take(&round)
        guard !round.replacing.isEmpty else { return }
        for body in round.replacing {
            let place = body.place
            let wanted = try store.wantedBodies(of: place.log, in: place.sequence..<place.sequence + 1)
            if !wanted.isEmpty { round.batch.bodies.append(body) }
        }
        round.replacing = []
        try take(&round)
    }

    /// Stops signing before anything else is stored, if the bundle shows a longer or another own log.
    private func note(_ round: inout Round) throws(StorageError) {
        guard round.ownShown != round.ownTold else { return }
        switch round.ownShown {
        case .longer:
            try store.stopSigning(.longer)
            round.receipt.ownLog = .stopped
        case .forked:
            try store.stopSigning(.diverged)
            round.receipt.ownLog = .stopped
        case .agreed:
            round.receipt.ownLog = .agreed
            if release == .now, let own = round.own, own.published < own.size { round.batch.published = own.size }
        case nil: break
        }
    }

    private func take(_ round: inout Round) throws(StorageError) {
        let isTold = round.ownShown == round.ownTold
        guard !round.batch.isEmpty || !isTold else { return }
        let batch = round.batch
        round.batch = TakeBatch()
        let own = isTold ? nil : round.ownShown
        round.ownTold = round.ownShown
        guard !batch.isEmpty else {
            return round.reports.append(ImportReport(report: .nothing, bodies: [], own: own))
        }
        let report = try store.take(batch)
        round.recounts.add(report.recounted)
        round.refuse(Set(batch.chunks.map(\.chunk.log)).intersection(report.forgotten))
        let missing = Dictionary(report.gaps.map { ($0.log, $0.bounds) }, uniquingKeysWith: { $1 })
        for item in report.stored {
            let before = round.held[item.log] ?? 0
            let now = item.size - UInt64(missing[item.log]?.count ?? 0)
            guard now > before, let identity = round.prefixes[item.log]?.certificate?.certificate.identity else {
                continue
            }
            round.receipt.gains.append(.init(log: item.log, identity: identity, entries: now - before))
            round.held[item.log] = now
        }
        let refused = Set(report.refusedBodies)
        let bodies = batch.bodies.filter { !refused.contains($0) }.map(\.place)
        round.receipt.bodies += bodies.count
        round.receipt.judged = (round.receipt.judged ?? []) + Self.news(in: report, before: round.prefixes)
        round.reports.append(ImportReport(report: report, bodies: bodies, own: own))
    }

    /// Settlements and evidence that a transaction put in force.
    private static func news(in report: TakeReport, before: [LogID: LogPrefix]) -> [BundleReceipt.Judged] {
        report.standings.flatMap { standing -> [BundleReceipt.Judged] in
            guard standing.words.certificate != nil else { return [.ended(standing.log)] }
            let settled = standing.words.settlement.flatMap { SignedSettlement(trusting: $0)?.settlement.known }
            let cut = standing.words.evidence.flatMap { ForkEvidence($0)?.cut }
            let known = before[standing.log]
            return (settled == known?.settled ? [] : [.settled(standing.log)])
                + (cut == known?.cut ? [] : [.forked(standing.log)])
        }
    }

    // MARK: Settlements and evidence

    /// Verifies words and adds them to the batch, or passes over them; returns their fault, if any.
    private func check(_ words: UnverifiedWords, _ round: inout Round) throws(StorageError) -> BundleFault? {
        switch WordVerifier(network: verifier.network).check(words) {
        case .valid(let settlement, let evidence, let certificate):
            // The end of an account has no certificate, and comes only once. Nothing else of a spent identity is in
            // the batch, so that the store knows what is news.
            if let certificate, round.isSpent(certificate) {
                if try store.isNews(settlement, evidence, of: words.log) { round.passOver(words.log) }
                return nil
            }
            let source = NodeID(raw: .zero)
            if let settlement {
                round.batch.settlements.append(.init(signed: settlement, certificate: certificate, source: source))
            }
            if let evidence, let certificate {
                round.batch.evidence.append(.init(evidence: evidence, certificate: certificate, source: source))
            }
            return nil
        case .violation(let violation): return BundleFault(violation)
        }
    }

    // MARK: One chunk

    func judge(_ chunk: UnverifiedChunk, _ round: inout Round) throws(StorageError) -> ChunkVerdict {
        if let prefix = round.prefixes[chunk.log], let known = prefix.ofSettledSize(chunk), prefix.isAside(known),
            try judge(known, &round) == .taken
        {
            return .taken
        }
        let isFilling = fill(chunk, round.prefixes[chunk.log] ?? .none, &round)
        let prefix = round.prefixes[chunk.log] ?? .none
        let held = prefix.range(for: chunk).bounds.upperBound
        if isFilling, chunk.start + chunk.count <= held { return .taken }
        guard chunk.start <= held else { return .later }
        guard !prefix.hides(chunk) else { return .unchecked }
        guard chunk.start + chunk.count > held else { return try compare(chunk, prefix, &round) }
        let missing: UnverifiedChunk
        do throws(EntryCodingError) {
            missing = try chunk.trimmed(to: held)
        } catch {
            return .fault(.malformedEntries)
        }
        switch verifier.verify(missing, over: prefix) {
        case .verified(let verified):
            // Known from here on, whether the entries are taken or not.
            if let own = round.own, own.log == chunk.log {
                round.ownShown = .longer(held: own.size, shown: chunk.size)
            }
            if round.isSpent(verified.certificate) {
                // The bodies of entries that are here need nothing of what is passed over.
                if verified.prefix.side == nil { try takeBodies(chunk, below: held, &round) }
                round.passOver(chunk.log)
                return .later
            }
            try keepBodies(of: verified, chunk, below: held, &round)
            round.batch.chunks.append(.init(chunk: verified, source: NodeID(raw: .zero)))
            round.prefixes[chunk.log] = verified.prefix
            return .taken
        // A chunk that proves it may still come; or another settlement or evidence is in force here.
        case .doesNotFit: return .later
        case .unknownRoot: return prefix.isJudged ? .unchecked : .later
        case .certificateMissing: return .fault(.certificateMissing)
        case .prefixDiffers: return try dispute(chunk, prefix, &round)
        case .violation(let violation): return .fault(BundleFault(violation))
        }
    }

    /// Compares a chunk without new entries with the stored history, and checks its proof over that.
    private func compare(
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        // The settled history beside the stored one is proven completely.
        guard !prefix.isAside(chunk) else { return .unchecked }
        // This round's chunks are not in the store yet.
        if round.batch.chunks.contains(where: { $0.chunk.log == chunk.log }) { try store(&round) }
        let end = chunk.start + chunk.count
        let held = prefix.range.bounds.upperBound
        try takeBodies(chunk, below: end, &round)
        let nodes = end == held ? prefix.range.nodes : try store.prefixNodes(of: chunk.log, end: end)
        guard let nodes, var range = LogRange(bounds: 0..<end, nodes: nodes), let certificate = prefix.certificate
        else {
            return .unchecked
        }
        guard let right = LogRange(bounds: end..<chunk.size, nodes: chunk.right), range.append(right),
            let root = range.root
        else { return .fault(.wrongNodeCount) }
        switch chunk.proof {
        case .known:
            let roots = prefix.roots(at: chunk.size)
            guard !roots.isEmpty else { return .unchecked }
            return roots.contains(root) ? .known : try dispute(chunk, prefix, &round)
        case .head(let signature):
            let head = Head(log: chunk.log, size: chunk.size, root: root, signature: signature)
            guard head.isValid(network: verifier.network, device: certificate.certificate.device) else {
                return try dispute(chunk, prefix, &round)
            }
        }
        if let own = round.own, own.log == chunk.log { round.shown(chunk.size, of: own) }
        return .known
    }

    /// Keeps the bodies of a verified chunk; a new entry has its body in it, of others the store compares the hash.
    private func keepBodies(
        of verified: VerifiedChunk,
        _ chunk: UnverifiedChunk,
        below held: UInt64,
        _ round: inout Round
    ) throws(StorageError) {
        guard verified.prefix.side != nil else { return try takeBodies(chunk, below: held, &round) }
        for entry in verified.entries where entry.header.isErasable {
            guard let payload = entry.payload else { continue }
            let place = BodyPlace(log: chunk.log, sequence: entry.header.sequence)
            round.replacing.append(.init(place: place, payload: payload, source: NodeID(raw: .zero)))
        }
    }

    /// Takes the bodies of entries that are stored without one; the store compares the hashes.
    private func takeBodies(
        _ chunk: UnverifiedChunk,
        below end: UInt64,
        _ round: inout Round
    ) throws(StorageError) {
        guard chunk.start < end else { return }
        let wanted = try store.wantedBodies(of: chunk.log, in: chunk.start..<end)
        guard !wanted.isEmpty,
            let entries = try? EntryCoding.decode(
                chunk.entries[...],
                count: Int(clamping: chunk.count),
                log: chunk.log,
                start: chunk.start
            )
        else { return }
        for sequence in wanted {
            let index = Int(clamping: sequence - chunk.start)
            guard entries.indices.contains(index), let payload = entries[index].payload else { continue }
            round.batch.bodies.append(
                .init(
                    place: BodyPlace(log: chunk.log, sequence: sequence),
                    payload: payload,
                    source: NodeID(raw: .zero)
                )
            )
        }
    }
}
