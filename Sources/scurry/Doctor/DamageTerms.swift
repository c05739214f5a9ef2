import Storage

/// What `doctor`, `rebuild` and `backup` say of logs that are not what was signed.
enum DamageTerms {
    static let ownLog: SafeText = "your own log is not what was signed: the disk changed what was stored"

    /// How long `doctor` and `backup` compare logs with what was signed, in seconds: some millions of entries. A guess.
    private static let examinationSeconds = 10

    /// Compares the logs with what was signed, those of the home's person first, as far as the time goes.
    static func examination(of store: StoreReader) throws(StorageError) -> Examination {
        let end = ContinuousClock.now + .seconds(examinationSeconds)
        return try store.examineLogs { ContinuousClock.now >= end }
    }

    /// The findings of an examination of all logs that fits the time; none if all is as it was signed.
    static func examine(_ store: StoreReader) throws(StorageError) -> (found: [Finding], reach: SafeText) {
        let examination = try examination(of: store)
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

    /// How a backup ends that holds damaged logs; nil if none was found.
    static func saved(_ examination: Examination) -> Failure? {
        let count = examination.damaged.count
        guard count > 0 else { return nil }
        let isOwn = examination.isOwnLogDamaged
        let own: SafeText = !isOwn ? "" : count == 1 ? ", your own," : ", your own among them,"
        let text: SafeText =
            count == 1
            ? "1 log\(own) is not what was signed, and is in the backup as the disk changed it"
            : "\(count) logs\(own) are not what was signed, and are in the backup as the disk changed them"
        let hint: SafeText =
            isOwn ? "scurry doctor; keep older backups: they may have your log as you signed it" : "scurry doctor"
        return Failure(.partly, text, hint: hint)
    }
}
