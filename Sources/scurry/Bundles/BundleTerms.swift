import Entries
import Storage
import Transport

/// Texts and JSON for the results of exports and imports.
enum BundleTerms {
    static func entries(_ count: UInt64) -> SafeText {
        Amount.of(Int(clamping: count), "entry", "entries")
    }

    /// `12 entries of 3 people are new`
    static func sentence(_ summary: ImportSummary) -> SafeText {
        var news: [SafeText] = []
        if summary.entries > 0 {
            let verb: SafeText = summary.entries == 1 ? "is new" : "are new"
            news.append("\(entries(summary.entries)) of \(Amount.of(summary.people, "person", "people")) \(verb)")
        }
        if summary.bodies > 0 {
            news.append("\(Amount.of(summary.bodies, "missing text has", "missing texts have")) come")
        }
        if summary.settledLogs > 0 {
            news.append("\(Amount.of(summary.settledLogs, "device was", "devices were")) cut off by the owner's words")
        }
        if summary.endedAccounts > 0 {
            news.append("\(Amount.of(summary.endedAccounts, "account has", "accounts have")) ended")
        }
        if summary.forkedLogs > 0 {
            news.append(
                "\(Amount.of(summary.forkedLogs, "log was", "logs were")) written twice: nothing beyond the fork counts"
            )
        }
        if let refusal = refusal(summary) { news.append(news.isEmpty ? "nothing new: \(refusal)" : refusal) }
        guard let first = news.first else {
            return summary.isComplete ? "nothing new: all of it was here" : "nothing new"
        }
        return news.dropFirst().reduce(first) { "\($0); \($1)" }
    }

    /// What was in the bundle and is not taken, whoever brings it; nil: nothing.
    private static func refusal(_ summary: ImportSummary) -> SafeText? {
        switch summary.refusedLogs {
        case 0: nil
        case 1: "1 log does not count here: its account has ended, or 16 older devices come before it"
        case let count:
            "\(count) logs do not count here: their accounts have ended, or 16 older devices come before them"
        }
    }

    /// `12 entries of 3 people, without 2 texts that gave way, 1 log that was cut off or forked`
    static func sentence(_ summary: ExportSummary) -> SafeText {
        var parts: [SafeText] = []
        if summary.entries > 0 {
            parts.append("\(entries(summary.entries)) of \(Amount.of(summary.people, "person", "people"))")
        }
        if summary.evictedBodies > 0 {
            parts.append("without \(Amount.of(Int(clamping: summary.evictedBodies), "text", "texts")) that gave way")
        }
        if summary.judgedLogs > 0 {
            parts.append(
                Amount.of(summary.judgedLogs, "log that was cut off or forked", "logs that were cut off or forked")
            )
        }
        if summary.endedAccounts > 0 {
            parts.append(Amount.of(summary.endedAccounts, "account that ended", "accounts that ended"))
        }
        return parts.dropFirst().reduce(parts.first ?? "nothing") { "\($0), \($1)" }
    }

    /// Whether the bundle was read as far as it can be.
    enum ImportEnd {
        case read
        /// Something else than the bundle ended the import, such as a full disk.
        case stopped
    }

    static func json(_ summary: ImportSummary, _ end: ImportEnd) -> JSONObject {
        JSONObject([
            "entries": .unsigned(summary.entries),
            "people": .integer(Int64(summary.people)),
            "texts": .integer(Int64(summary.bodies)),
            "later_logs": .integer(Int64(summary.laterLogs)),
            "passed_logs": .integer(Int64(summary.passedLogs)),
            "forked_logs": .integer(Int64(summary.forkedLogs)),
            "differing_logs": .integer(Int64(summary.differingLogs)),
            "cut_off_logs": .integer(Int64(summary.settledLogs)),
            "ended_accounts": .integer(Int64(summary.endedAccounts)),
            "refused_logs": .integer(Int64(summary.refusedLogs)),
            "signing_stopped": .bool(summary.ownLog == .stopped),
            "complete": .bool(end == .read && summary.isComplete),
            "fault": .optional(summary.fault?.fault.rawValue),
        ])
    }

    /// The failure of an incomplete import: 6 if something was stored, or if another export has to come first; else 1;
    /// nil: it was complete.
    static func failure(of summary: ImportSummary) -> Failure? {
        if let (fault, place) = summary.fault {
            let what: SafeText = "\(words(fault)), in frame \(place.frame) at byte \(place.offset)"
            return Failure(
                summary.hasNews ? .partly : .failure,
                summary.hasNews ? "\(what); what came before it is kept\(begun(summary))" : what,
                hint: "export it again, and carry it as it is: scurry export > FILE"
            )
        }
        var parts: [SafeText] = []
        let missing = summary.laterLogs - summary.passedLogs
        if missing > 0 {
            let logs = Amount.of(missing, "log begins", "logs begin")
            parts.append("\(logs) after what is held here: import an older export first")
        }
        if summary.passedLogs > 0 {
            let logs = Amount.of(summary.passedLogs, "log has", "logs have")
            parts.append("\(logs) more in the bundle than one import takes: import it again")
        }
        if summary.differingLogs > 0 {
            let logs = Amount.of(summary.differingLogs, "log differs", "logs differ")
            parts.append("\(logs) from what is held here, and \(summary.differingLogs == 1 ? "is" : "are") left alone")
        }
        guard let first = parts.first else { return nil }
        let hint: SafeText =
            if missing > 0 {
                "scurry export without --since on the other machine has all of it"
            } else if summary.passedLogs > 0 {
                "scurry import with the same bundle takes more of it"
            } else {
                "scurry status"
            }
        return Failure(.partly, parts.dropFirst().reduce(first) { $0 + "; " + $1 }, hint: hint)
    }

    /// That a part of what is kept is in no feed yet; empty: all is.
    private static func begun(_ summary: ImportSummary) -> SafeText {
        switch summary.begunLogs {
        case 0: ""
        case 1: ", and 1 log of it shown when the rest has come"
        case let count: ", and \(count) logs of it shown when the rest has come"
        }
    }

    private static func words(_ fault: BundleFault) -> SafeText {
        switch fault {
        case .truncated: "the bundle is cut off"
        case .wrongCount, .wrongHash: "the bundle is not what was exported: something in it was lost or changed"
        case .trailingBytes: "something follows the end of the bundle"
        case .badProof, .badCertificate, .falseEvidence, .badSettlement:
            "the bundle is forged or damaged (\(fault.rawValue))"
        case .foreignNetwork: "the bundle has a log of another network"
        case .frameLength, .malformedClosing, .malformedMessage, .wrongFieldLength, .tooManyItems, .impossibleNumber,
            .emptyChunk, .certificateMissing, .malformedEntries, .wrongNodeCount:
            "the bundle is damaged (\(fault.rawValue))"
        }
    }

    /// An error during an export or import as a failure; a `Failure` stays as it is.
    static func failure(_ error: any Error, command: SafeText, network: String = "") -> any Error {
        switch error {
        case let error as BundleRefusal: refusal(error, network: network)
        case let error as StorageError: Problems.failure(error)
        case let error as HomeError: Problems.failure(error)
        case let error as SystemError: unreadable(error)
        case let error as WriteError: failure(error, command: command)
        default: error
        }
    }

    /// The failure of an import that had to stop: if something was stored before, 6 in the place of 1.
    ///
    /// - Parameters:
    ///   - error: why it had to stop.
    ///   - summary: what was imported by then; nil: nothing was.
    ///   - command: the command, to be given once more.
    ///   - network: the home's network.
    /// - Returns: the failure, or `error` as it is where it has no words here.
    static func failure(
        _ error: any Error,
        after summary: ImportSummary?,
        command: SafeText,
        network: String
    ) -> any Error {
        let stopped = failure(error, command: command, network: network)
        guard summary?.hasNews == true, let known = stopped as? Failure, known.code == .failure else { return stopped }
        // A store says of its transaction that nothing was changed: of an import of several that is not true.
        let cause = storageError(in: error).map { SafeText(line: $0.reason) } ?? known.message
        return Failure(.partly, "\(cause); what came before it is kept", hint: known.hint)
    }

    /// The error of a store, this process's or the node's, behind another one.
    private static func storageError(in error: any Error) -> StorageError? {
        switch error {
        case let error as StorageError: error
        case WriteError.storage(let error), WriteError.home(.store(let error)): error
        case WriteError.failed(let failure): failure.error
        default: nil
        }
    }

    private static func refusal(_ refusal: BundleRefusal, network: String) -> Failure {
        switch refusal {
        case .notABundle: Failure(.failure, "that is no bundle", hint: "scurry export > FILE writes one")
        case .newerVersion(let version):
            Failure(
                .failure,
                "a newer scurry wrote this bundle (version \(Int(version)))",
                hint: "install the newer scurry: make install"
            )
        case .otherNetwork:
            Failure(
                .refused,
                "the bundle is of another network; this home belongs to \(SafeText(line: network))",
                hint: "SCURRY_HOME=DIR scurry init --network NAME makes a home there"
            )
        case .unreadable(let error): unreadable(error)
        }
    }

    private static func unreadable(_ error: SystemError) -> Failure {
        Failure(.failure, SafeText(line: error.description), hint: "ls -l shows what may be read")
    }

    private static func failure(_ error: WriteError, command: SafeText) -> Failure {
        switch error {
        case .occupied(let process): return Occupied.failure(process)
        case .notResponding(let process), .unanswered(let process):
            let who: SafeText = process.map { "the node (process \($0))" } ?? "the node"
            return Failure(
                .tryAgain,
                "\(who) does not answer",
                hint: process.map { "kill \($0), then \(command)" } ?? "scurry status"
            )
        case .uncertain(.notUnderstood):
            return Failure(
                .tryAgain,
                "the node is of another version, and did not understand; what came until then is kept",
                hint: "restart it with scurry run, then \(command)"
            )
        case .uncertain:
            return Failure(.tryAgain, "the node went away meanwhile; what came until then is kept", hint: command)
        case .home(let error): return Problems.failure(error)
        case .storage(let error): return Problems.failure(error)
        case .failed(let failure): return Problems.failure(failure)
        case .refused: return Failure(.refused, "the node refuses", hint: "scurry status")
        }
    }
}
