internal import Entries
internal import Sodium
internal import Storage
internal import Sync

/// Checks chunks from a file over what the store holds, and stores what is new: the wire's verifier, on a file
/// (`protocol/bundle.md` §4).
///
/// Calls block; nobody else writes in the store meanwhile.
struct BundleIntake {
    private let store: EntryStore
    private let verifier: ChunkVerifier
    private let release: Release

    /// What an agreement about the own log allows.
    enum Release: Hashable {
        /// A node decides: it has its own rules.
        case byNode
        /// Nobody else is there: all of it may leave from now on.
        case now
    }

    init(_ store: EntryStore, network: NetworkID, release: Release) {
        self.store = store
        self.release = release
        verifier = ChunkVerifier(network: network)
    }

    struct Taking {
        let receipt: BundleReceipt
        let report: ImportReport
    }

    /// One transaction; whatever is behind a fault is not looked at.
    func take(_ chunks: [UnverifiedChunk]) throws(StorageError) -> Taking {
        let logs = Set(chunks.map(\.log))
        let held = try store.prefixes(of: Array(logs))
        var round = Round(prefixes: held, own: try store.ownRelease())
        for chunk in chunks {
            let found = try judge(chunk, &round)
            let verdict = round.weighed(found, of: chunk)
            round.receipt.verdicts.append(verdict)
            if case .fault = verdict { break }
        }
        switch round.ownShown {
        // First of all: whatever becomes of the rest, nothing more is signed.
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
        return try store(round, over: held)
    }

    private func store(_ round: Round, over held: [LogID: LogPrefix]) throws(StorageError) -> Taking {
        var receipt = round.receipt
        guard !round.batch.isEmpty else {
            let nothing = TakeReport(changes: [], stored: [], wantedBodies: [], refusedBodies: [])
            return Taking(receipt: receipt, report: ImportReport(report: nothing, bodies: [], own: round.ownShown))
        }
        let report = try store.take(round.batch)
        for item in report.stored {
            let before = held[item.log]?.range.bounds.upperBound ?? 0
            guard item.size > before, let identity = round.prefixes[item.log]?.certificate?.certificate.identity else {
                continue
            }
            receipt.gains.append(.init(log: item.log, identity: identity, entries: item.size - before))
        }
        let refused = Set(report.refusedBodies)
        let bodies = round.batch.bodies.filter { !refused.contains($0) }.map(\.place)
        receipt.bodies = bodies.count
        return Taking(receipt: receipt, report: ImportReport(report: report, bodies: bodies, own: round.ownShown))
    }

    /// What is known so far of the chunks that go into one transaction.
    private struct Round {
        /// Of each log, what is held, and what this round adds.
        var prefixes: [LogID: LogPrefix]
        let own: OwnRelease?
        var batch = TakeBatch()
        var receipt = BundleReceipt()
        var ownShown: ImportReport.OwnShown?
        /// The last head of each log that was compared.
        var compared: [LogID: UInt64] = [:]
        /// How far these chunks and this home agree on each log.
        var agreed: [LogID: UInt64] = [:]

        /// What differs behind what was the same leads to no head, and no fork explains it.
        mutating func weighed(_ verdict: ChunkVerdict, of chunk: UnverifiedChunk) -> ChunkVerdict {
            switch verdict {
            case .taken, .known: agreed[chunk.log] = max(agreed[chunk.log] ?? 0, chunk.start + chunk.count)
            case .differs:
                if let end = agreed[chunk.log], end >= chunk.start { return .fault(.badProof) }
            case .unchecked, .later, .forked, .fault: break
            }
            return verdict
        }
    }

    // MARK: One chunk

    private func judge(_ chunk: UnverifiedChunk, _ round: inout Round) throws(StorageError) -> ChunkVerdict {
        let prefix = round.prefixes[chunk.log] ?? .none
        let held = prefix.range.bounds.upperBound
        guard chunk.start <= held else { return .later }
        guard chunk.start + chunk.count > held else { return try compare(chunk, prefix, &round) }
        let missing: UnverifiedChunk
        do throws(EntryCodingError) {
            missing = try chunk.trimmed(to: held)
        } catch {
            return .fault(.malformedEntries)
        }
        switch verifier.verify(missing, over: prefix) {
        case .verified(let verified):
            try takeBodies(chunk, below: held, &round)
            round.batch.chunks.append(.init(chunk: verified, source: NodeID(raw: .zero)))
            round.prefixes[chunk.log] = LogPrefix(certificate: verified.certificate, range: verified.tip)
            if let own = round.own, own.log == chunk.log {
                round.ownShown = .longer(held: own.size, shown: chunk.size)
            }
            return .taken
        // What proves it has not come yet.
        case .doesNotFit, .unknownRoot: return .later
        case .certificateMissing: return .fault(.certificateMissing)
        case .prefixDiffers: return dispute(chunk, prefix, &round)
        case .violation(let violation): return .fault(BundleFault(violation))
        }
    }

    /// Everything of the chunk is here: is its head one of the history that is here?
    private func compare(
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        let end = chunk.start + chunk.count
        let held = prefix.range.bounds.upperBound
        try takeBodies(chunk, below: end, &round)
        // One head of a log proves all of it.
        if round.compared[chunk.log] == chunk.size { return .known }
        guard let signature = chunk.signature else { return .unchecked }
        let nodes = end == held ? prefix.range.nodes : try store.prefixNodes(of: chunk.log, end: end)
        guard let nodes, var range = LogRange(bounds: 0..<end, nodes: nodes), let certificate = prefix.certificate
        else {
            return .unchecked
        }
        guard let right = LogRange(bounds: end..<chunk.size, nodes: chunk.right), range.append(right),
            let root = range.root
        else { return .fault(.wrongNodeCount) }
        let head = Head(log: chunk.log, size: chunk.size, root: root, signature: signature)
        guard head.isValid(network: verifier.network, device: certificate.certificate.device) else {
            return dispute(chunk, prefix, &round)
        }
        round.compared[chunk.log] = chunk.size
        if let own = round.own, own.log == chunk.log, round.ownShown == nil {
            round.ownShown = chunk.size > own.size ? .longer(held: own.size, shown: chunk.size) : .agreed
        }
        return .known
    }

    /// The chunk's head is not one of the history that is here: the writer forked, or somebody lies.
    ///
    /// A chunk that begins the log shows by itself which; of another only whoever has seen what came before it can tell.
    private func dispute(_ chunk: UnverifiedChunk, _ prefix: LogPrefix, _ round: inout Round) -> ChunkVerdict {
        guard chunk.start == 0 else { return .differs }
        let alone = LogPrefix(certificate: prefix.certificate, range: LogRange())
        switch verifier.verify(chunk, over: alone) {
        case .verified:
            if let own = round.own, own.log == chunk.log {
                round.ownShown = .forked(held: own.size, shown: chunk.size)
            }
            return .forked
        case .violation(let violation): return .fault(BundleFault(violation))
        case .doesNotFit, .certificateMissing, .prefixDiffers, .unknownRoot: return .differs
        }
    }

    /// Bodies of entries that are here without them; the store compares the hashes.
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
