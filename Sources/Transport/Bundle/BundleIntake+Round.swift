internal import Entries
internal import Storage
internal import Sync

extension BundleIntake {
    /// State of one call of `take`: what goes into the next transaction, and the results of the earlier ones.
    struct Round {
        /// For each log: what is held, this round's chunks included.
        var prefixes: [LogID: LogPrefix]
        let own: OwnRelease?
        /// Entries stored of each log.
        var held: [LogID: UInt64]
        var batch = TakeBatch()
        /// Bodies of settled entries that replace others; they are wanted only once those entries are in place.
        var replacing: [TakeBatch.BodyArrival] = []
        var receipt = BundleReceipt()
        var reports: [ImportReport] = []
        var ownShown: ImportReport.OwnShown?
        var ownTold: ImportReport.OwnShown?
        /// What the file, this round included, made to be counted anew.
        var recounts: BundleRecounts
        /// For each log: the end up to which the bundle agrees with this home.
        private var agreed: [LogID: UInt64] = [:]

        init(
            prefixes: [LogID: LogPrefix],
            own: OwnRelease?,
            held: [LogID: UInt64],
            recounts: BundleRecounts
        ) {
            self.prefixes = prefixes
            self.own = own
            self.held = held
            self.recounts = recounts
        }

        /// Whether the file has had the entries of this log's identity counted anew often enough.
        func isSpent(_ certificate: SignedCertificate) -> Bool {
            recounts.isSpent(certificate.certificate.identity)
        }

        /// Notes a log of which something new is left to another reading of the file.
        mutating func passOver(_ log: LogID) {
            receipt.passed = receipt.passed ?? []
            receipt.passed?.append(log)
        }

        /// Notes logs that are not carried: what is in the bundle of them is held already and counts no more, or is not
        /// stored.
        mutating func refuse(_ logs: Set<LogID>) {
            guard !logs.isEmpty else { return }
            receipt.refused = (receipt.refused ?? []) + logs
        }

        /// Notes a valid head over the own log, as far as it is held here; the largest counts, since another may show
        /// less.
        mutating func shown(_ size: UInt64, of own: OwnRelease) {
            switch ownShown {
            case nil, .agreed: ownShown = size > own.size ? .longer(held: own.size, shown: size) : .agreed
            case .longer(_, let shown): ownShown = .longer(held: own.size, shown: max(shown, size))
            case .forked: break
            }
        }

        /// Turns a difference directly behind agreeing entries into a fault: no head leads there, and no fork explains
        /// it.
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
}
