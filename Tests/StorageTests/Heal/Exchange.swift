import Entries
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

/// What one node does to learn what another has, without a wire: where the ids of a log's items are one, nothing is
/// asked.
///
/// First what root keys and forks say, then what is missing, then what differs.
struct Exchange {
    private static let verifier = ChunkVerifier(network: Device.network)

    let sender: any WorldStore
    let receiver: any WorldStore
    /// What honest nodes never see of each other.
    struct Complaint: Error {
        let what: String

        init(_ what: String) {
            self.what = what
        }
    }

    /// Small, so that logs come in several chunks.
    let byteLimit: Int
    private let theirs: StoreState
    private var ours: StoreState
    private var hasRestarted = false

    init(from sender: any WorldStore, to receiver: any WorldStore, byteLimit: Int) throws {
        self.sender = sender
        self.receiver = receiver
        self.byteLimit = byteLimit
        theirs = try sender.begin(.test)
        ours = try receiver.begin(.test)
    }

    /// Fetches all that the sender has and the receiver may ask for; false if there was nothing.
    mutating func run(_ random: inout SeededRandom) throws -> Bool {
        var hasLearned = false
        for row in theirs.frontier.shuffled(using: &random) where row.item.id != item(of: row.log)?.id {
            if try bring(row) { hasLearned = true }
        }
        return hasLearned
    }

    private mutating func bring(_ row: FrontierRow) throws -> Bool {
        var hasLearned = try bringWords(of: row)
        hasRestarted = false
        for _ in 0..<100 {
            guard row.size > 0, row.item.id != item(of: row.log)?.id, try step(row) else { return hasLearned }
            hasLearned = true
        }
        throw Complaint("a log is asked for without end")
    }

    private mutating func bringWords(of row: FrontierRow) throws -> Bool {
        guard let standing = theirs.standings.first(where: { $0.log == row.log }) else { return false }
        let words = standing.words
        let certificate = try words.certificate.map { try SignedCertificate(verifying: $0, network: Device.network) }
        var batch = TakeBatch()
        if let bytes = words.settlement {
            let signed = try SignedSettlement(verifying: bytes, network: Device.network)
            batch.settlements.append(.init(signed: signed, certificate: certificate, source: .peer))
        }
        if let bytes = words.evidence {
            let evidence = try #require(ForkEvidence(bytes))
            let certificate = try #require(certificate)
            batch.evidence.append(.init(evidence: evidence, certificate: certificate, source: .peer))
        }
        return try take(batch)
    }

    /// One question and its answer; false if there is nothing to ask, or nothing came of it.
    private mutating func step(_ row: FrontierRow) throws -> Bool {
        let prefix = try receiver.prefixes(of: [row.log])[row.log] ?? .none
        let standing = ours.standings.first { $0.log == row.log }
        let stored = prefix.range.bounds.upperBound
        if standing?.isComplete == true { return false }
        if let settled = prefix.settled, row.isComplete(as: settled) {
            if let side = standing?.side {
                return try fetch(RangeWant(log: row.log, from: side, certificate: .send, branch: .settled), prefix)
            }
            if standing?.isDiverging == true { return try dispute(row.log, settled.size, prefix) }
        } else {
            if standing?.isDiverging == true, let cut = prefix.cut, cut.size <= stored,
                try dispute(row.log, cut.size, prefix)
            {
                return true
            }
            let held = ours.frontier.first { $0.log == row.log }?.size ?? 0
            if held == row.size { return try dispute(row.log, row.size, prefix) }
            if held < row.size, row.size <= stored {
                if try dispute(row.log, row.size, prefix) { return true }
                // The head that proves what is stored is nobody's; begun anew once, for the sender may count less of
                // the same head until it hears of a settlement.
                guard !hasRestarted else { return false }
                hasRestarted = true
                var batch = TakeBatch()
                batch.restarts = [row.log]
                return try take(batch)
            }
        }
        guard stored < min(row.size, standing?.ceiling ?? .max) else { return false }
        return try fetch(RangeWant(log: row.log, from: stored, certificate: .send), prefix)
    }

    private mutating func fetch(_ want: RangeWant, _ prefix: LogPrefix) throws -> Bool {
        guard case .chunk(let chunk)? = try sender.ranges([want], byteLimit: byteLimit).first else { return false }
        switch Self.verifier.verify(chunk, over: prefix) {
        case .verified(let verified):
            var batch = TakeBatch()
            batch.chunks = [.init(chunk: verified, source: .peer)]
            return try take(batch)
        case .prefixDiffers: return try dispute(want.log, chunk.start, prefix)
        case .doesNotFit, .unknownRoot: return false
        case .certificateMissing, .violation:
            throw Complaint("an honest chunk was refused")
        }
    }

    /// Compares histories from the top down; true if the receiver learned something.
    private mutating func dispute(_ log: LogID, _ end: UInt64, _ known: LogPrefix) throws -> Bool {
        let end = min(end, known.range.bounds.upperBound)
        guard end > 0, let theirs = try sender.prefixProof(of: log, end: end),
            let certificate = known.certificate?.certificate,
            let nodes = try receiver.prefixNodes(of: log, end: end),
            let ours = LogRange(bounds: 0..<end, nodes: nodes)
        else { return false }
        let verdict = theirs.judge(log: log, network: Device.network, device: certificate.device, known: known)
        guard case .proven(let proof) = verdict else {
            if verdict == .lie { throw Complaint("an honest proof was refused") }
            return false
        }
        var (descent, step) = Descent.begin(log: log, theirs: theirs, proof: proof, ours: ours)
        while case .question(let place) = step {
            let answer = try #require(try sender.nodes(of: log, at: place))
            let own = try #require(try receiver.nodes(of: log, at: place))
            step = descent?.answered(theirs: answer, ours: own) ?? .same
        }
        switch step {
        case .found(let finding):
            var batch = TakeBatch()
            batch.findings = [finding]
            return try take(batch)
        case .same: return false
        case .lie, .question:
            throw Complaint("honest nodes were refused")
        }
    }

    private mutating func take(_ batch: TakeBatch) throws -> Bool {
        _ = try receiver.take(batch)
        let before = ours
        ours = try receiver.begin(.test)
        return !ours.isSame(as: before)
    }

    private func item(of log: LogID) -> FrontierItem? { ours.frontier.first { $0.log == log }?.item }
}

extension StoreID {
    static let test = StoreID.random()
}

extension FrontierRow {
    /// Whether exactly what the root key settled is held there.
    fileprivate func isComplete(as settled: KnownRoot) -> Bool {
        item.isComplete && item.size == settled.size && item.root == settled.root
    }
}

extension StoreState {
    fileprivate func isSame(as other: StoreState) -> Bool {
        number == other.number && pending == other.pending && standings == other.standings
    }
}
