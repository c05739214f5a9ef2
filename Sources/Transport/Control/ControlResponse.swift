package import Entries

/// The node's response to a `ControlRequest`.
package enum ControlResponse: Hashable, Sendable {
    case appended(AppendedEntry)
    /// A rule forbids the entry; nothing was written.
    case refused(Refusal)
    case status(StatusReport)
    case synced(SyncOutcome)
    case imported(BundleReceipt)
    /// The own log's sizes; a hub responds `done`.
    case released(log: LogID, size: UInt64, published: UInt64)
    case done
    /// The request failed.
    case failed(NodeFailure)
}

extension ControlResponse: Codable {
    /// The response as it is written.
    ///
    /// The kind of a failure stands beside its words, where a command of an earlier version, which knows the words
    /// alone, does not look.
    private enum Form: Codable {
        case appended(AppendedEntry)
        case refused(Refusal)
        case status(StatusReport)
        case synced(SyncOutcome)
        case imported(BundleReceipt)
        case released(log: LogID, size: UInt64, published: UInt64)
        case done
        case failed(String, kind: String? = nil)
    }

    private var form: Form {
        switch self {
        case .appended(let entry): .appended(entry)
        case .refused(let refusal): .refused(refusal)
        case .status(let report): .status(report)
        case .synced(let outcome): .synced(outcome)
        case .imported(let receipt): .imported(receipt)
        case .released(let log, let size, let published): .released(log: log, size: size, published: published)
        case .done: .done
        case .failed(let failure): .failed(failure.reason, kind: failure.kind)
        }
    }

    private init(_ form: Form) {
        self =
            switch form {
            case .appended(let entry): .appended(entry)
            case .refused(let refusal): .refused(refusal)
            case .status(let report): .status(report)
            case .synced(let outcome): .synced(outcome)
            case .imported(let receipt): .imported(receipt)
            case .released(let log, let size, let published): .released(log: log, size: size, published: published)
            case .done: .done
            case .failed(let reason, let kind): .failed(NodeFailure(reason, kind: kind))
            }
    }

    package init(from decoder: any Decoder) throws {
        self.init(try Form(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try form.encode(to: encoder)
    }
}
