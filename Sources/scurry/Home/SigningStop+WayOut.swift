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

extension Home {
    /// The commands that lead out of a stop here: `id keep` goes on with the device key of the own log, and is named
    /// only where that is.
    func wayOut(of stop: SigningStop, in store: StoreReader) -> SafeText {
        guard stop.canBeKept, (try? keyFit(in: store)) != .own else { return stop.wayOut }
        return "scurry id restore, with the recovery words"
    }
}

extension ReadingDesk {
    /// The commands that lead out of a stop here.
    func wayOut(of stop: SigningStop) -> SafeText { home.wayOut(of: stop, in: store) }
}
