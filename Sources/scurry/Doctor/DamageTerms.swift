import Storage

/// What `doctor` and `rebuild` say of logs that are not what was signed.
enum DamageTerms {
    static let ownLog: SafeText = "your own log is not what was signed: the disk changed what was stored"

    /// How long `doctor` compares logs with what was signed, in seconds: some millions of entries. A guess.
    private static let examinationSeconds = 10

    /// The findings of an examination of all logs that fits the time; none if all is as it was signed.
    static func examine(_ store: StoreReader) throws(StorageError) -> (found: [Finding], reach: SafeText) {
        let end = ContinuousClock.now + .seconds(examinationSeconds)
        let examination = try store.examineLogs { ContinuousClock.now >= end }
        var findings: [Finding] = []
        if examination.ofOthers > 0 {
            let logs = Amount.of(
                examination.ofOthers,
                "log is not what its author signed",
                "logs are not what their authors signed"
            )
            findings.append(.problem("database", "\(logs): the disk changed what was stored", help: "scurry rebuild"))
        }
        if examination.isOwnLogDamaged { findings.append(.problem("database", ownLog, help: Problems.damage)) }
        switch examination.reach {
        case .everything: return (findings, "")
        case .first: return (findings, ", the first \(examination.entries) as signed, the others not compared")
        }
    }
}
