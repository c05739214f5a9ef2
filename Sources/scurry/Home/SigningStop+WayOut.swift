import Storage
import Transport

extension SigningStop {
    /// The commands that lead out of the stop, where the device key of the own log is here.
    var wayOut: SafeText {
        switch self {
        case .copied, .longer, .diverged:
            "scurry id restore, or scurry id keep if no other home with this key will run again"
        case .notCarried: "scurry id devices, then scurry id revoke DEVICE"
        case .forked, .settled: "scurry id restore goes on with a new log"
        case .ended: "SCURRY_HOME=DIR scurry init --name NAME begins another one"
        case .otherKey: "scurry id restore, with the recovery words, writes another"
        }
    }
}

extension SigningStop {
    /// Whether the running node signs until it ends: it read the right key before another was put in its place.
    func isDelayed(by report: StatusReport?) -> Bool {
        guard self == .otherKey, let report else { return false }
        return !report.isSigningStopped && !report.isLocked
    }

    /// The stop in one line, as it is beside the node of this report.
    func text(_ report: StatusReport?) -> SafeText {
        guard isDelayed(by: report) else { return SafeText(line: description) }
        return "\(SigningStop.otherKeyLies): once the node is started again it signs nothing"
    }

    /// The stop on a screen: `stopped: …`, or that it is yet to come.
    func state(_ report: StatusReport?) -> SafeText {
        isDelayed(by: report) ? text(report) : "stopped: \(text(report))"
    }

    /// What is wrong, whatever follows from it.
    static let otherKeyLies: SafeText = "the device key here belongs to another log than this home's"

    /// The home signs, and the node that runs does not: it read another key.
    static let ofNode: SafeText = "stopped in the node that runs, by what was here when it started; start it again"
}

extension Home {
    /// The commands that lead out of a stop here: `id keep` goes on with the device key of the own log, and is named
    /// only where that is.
    func wayOut(of stop: SigningStop, in store: StoreReader) -> SafeText {
        guard stop.canBeKept, (try? keyFit(in: store)) != .own else { return stop.wayOut }
        return "scurry id restore, with the recovery words"
    }
}

extension ReadingDesk {
    /// The report of a node that may delay this stop; nil, and no node is asked, where none does.
    func stopReport(_ stop: SigningStop) -> StatusReport? { stop == .otherKey ? glance.report : nil }

    /// The commands that lead out of a stop here.
    func wayOut(of stop: SigningStop) -> SafeText { home.wayOut(of: stop, in: store) }
}
