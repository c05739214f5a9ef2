package import Entries

/// The message in a bundle that carries words (`LogWords`): Changes, with nothing else in it (`protocol/bundle.md` §2).
package enum ChangesFrame {
    /// The message type of Changes.
    package static let type = MessageType.changes.rawValue

    /// Encodes words as messages of half a MiB each; none for none.
    package static func encode(_ words: [LogWords]) -> [Frame] {
        let held = words.map(HeldLog.init)
        return Changes.lots(held, atMost: Limits.changesPageLogs).map { lot in
            Message.changes(Changes(logs: lot.map(\.item), number: nil, held: lot)).frame
        }
    }

    /// Decodes the words of a message, with lengths and bounds checked, but no signature; none for another type.
    package static func decode(_ frame: Frame) throws(SyncViolation) -> [UnverifiedWords] {
        guard frame.type == type, case .changes(let changes) = try Message(frame) else { return [] }
        return changes.held.compactMap { held in
            held.words.map { UnverifiedWords(log: held.log, words: $0) }
        }
    }
}

extension HeldLog {
    fileprivate init(_ said: LogWords) {
        self.init(item: LogSize(log: said.log, size: said.known.size), root: said.known.root, words: said.words)
    }
}

extension Changes {
    /// The statement on one log.
    init(_ said: LogWords) {
        let held = HeldLog(said)
        self.init(logs: [held.item], number: nil, held: [held])
    }
}
