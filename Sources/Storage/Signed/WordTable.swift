internal import Entries
internal import GRDB

/// Settlements and fork evidence of logs, as they were signed; the table is called `verdicts`.
struct WordTable {
    private let one: Prepared
    private let writeSettlement: Prepared
    private let writeEvidence: Prepared
    private let drop: Prepared

    struct SignedWords {
        var settlement: SignedSettlement?
        var evidence: ForkEvidence?
    }

    init(_ db: Database) throws {
        one = try Prepared(db, "SELECT settlement, evidence FROM verdicts WHERE log = ?")
        writeSettlement = try Prepared(
            db,
            "INSERT INTO verdicts (log, settlement) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET settlement = ?2"
        )
        writeEvidence = try Prepared(
            db,
            "INSERT INTO verdicts (log, evidence) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET evidence = ?2"
        )
        drop = try Prepared(db, "DELETE FROM verdicts WHERE log = ?")
    }

    /// - Throws: `StorageError.damaged`.
    func words(of log: Int64) throws -> SignedWords {
        try one.first(log) { columns in
            var words = SignedWords()
            if !columns.isNull(0) {
                guard let settlement = SignedSettlement(trusting: columns.bytes(0)) else {
                    throw StorageError.damaged("a settlement is not 208 bytes")
                }
                words.settlement = settlement
            }
            if !columns.isNull(1) {
                guard let evidence = ForkEvidence(columns.bytes(1)) else {
                    throw StorageError.damaged("fork evidence cannot be read")
                }
                words.evidence = evidence
            }
            return words
        } ?? SignedWords()
    }

    func write(_ settlement: SignedSettlement, of log: Int64) throws { try writeSettlement.run(log, settlement.bytes) }

    func write(_ evidence: ForkEvidence, of log: Int64) throws { try writeEvidence.run(log, evidence.bytes) }

    func remove(of log: Int64) throws { try drop.run(log) }
}
