package import Entries

/// The message of a file that carries words: Changes, and nothing else in it (`protocol/bundle.md` §2).
package enum ChangesFrame {
    /// The number of Changes among the messages.
    package static let type = MessageType.changes.rawValue

    /// As many messages as they take, of half a MiB each; none for none.
    package static func encode(_ words: [LogWords]) -> [Frame] {
        let held = words.map(HeldLog.init)
        return NodeMachine.lots(held, atMost: Limits.changesPageLogs).map { lot in
            Message.changes(Changes(logs: lot.map(\.item), number: nil, verdicts: lot)).frame
        }
    }

    /// The words of a message, with every length and bound checked, and nothing else; none for a message of another type.
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
    /// What is said of one log.
    init(_ words: LogWords) {
        let held = HeldLog(words)
        self.init(logs: [held.item], number: nil, verdicts: [held])
    }
}
