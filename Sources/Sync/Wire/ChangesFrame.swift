package import Entries

/// The message in a bundle that carries words (`HeldLog.Words`): Changes, with nothing else in it
/// (`protocol/bundle.md` §2).
package enum ChangesFrame {
    /// The message type of Changes.
    package static let type = MessageType.changes.rawValue

    /// Encodes words as messages of half a MiB each; none for none.
    package static func encode(_ words: [LogWords]) -> [Frame] {
        let held = words.map(HeldLog.init)
        return Changes.lots(held, atMost: Limits.changesPageLogs).map { lot in
            Message.changes(Changes(logs: lot.map(\.item), number: nil, verdicts: lot)).frame
        }
    }

    /// Decodes the words of a message, with lengths and bounds checked, but no signature; none for another type.
    package static func decode(_ frame: Frame) throws(SyncViolation) -> [UnverifiedVerdict] {
        guard frame.type == type, case .changes(let changes) = try Message(frame) else { return [] }
        return changes.verdicts.compactMap { held in
            held.words.map { words in
                UnverifiedVerdict(
                    log: held.log,
                    settlement: words.settlement,
                    evidence: words.evidence,
                    certificate: words.certificate
                )
            }
        }
    }
}

extension HeldLog {
    fileprivate init(_ words: LogWords) {
        self.init(
            item: LogSize(log: words.log, size: words.known.size),
            root: words.known.root,
            words: Words(settlement: words.settlement, evidence: words.evidence, certificate: words.certificate)
        )
    }
}

extension Changes {
    /// The statement on one log.
    init(_ words: LogWords) {
        let held = HeldLog(words)
        self.init(logs: [held.item], number: nil, verdicts: [held])
    }
}
