import Sync

/// The options of a trial: the same options give the same trace, byte for byte.
package struct TrialOptions: Hashable, Sendable {
    package var seed: UInt64
    /// Honest nodes.
    package var nodes = 50
    /// Virtual time in which people write and things go wrong.
    package var hours: Double = 24
    package var faults: Set<Fault> = Set(Fault.allCases)
    /// Up to how many links a node pushes to all of them (`Limits.eagerLinksCount`): fewer let trees form among few
    /// nodes.
    package var eagerLinks = Limits.eagerLinksCount
    package var measures = FaultMeasures()
    package var store = Store.sqlite
    /// Parent of the trial's own directory, which is removed afterwards; nil: the system's temporary directory.
    package var directory: String?
    package var trace = TrialTrace.Extent.hash

    package enum Store: String, Hashable, Sendable, CaseIterable {
        /// The real store, in files.
        case sqlite
        /// A store in memory, without a feed: people only post, and faults of files have no effect.
        case light
    }

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Options whose size is drawn from the seed: 3 to 12 nodes, 1 to 8 hours. About every second seed sets
    /// `eagerLinks` to 1: so few nodes grow no push trees otherwise.
    package static func drawn(seed: UInt64) -> TrialOptions {
        var chance = Chance(seed: seed ^ 0x6472_6177_6E)
        var options = TrialOptions(seed: seed)
        options.nodes = 3 + Int(chance.next() % 10)
        options.hours = Double(1 + chance.next() % 8)
        if chance.next() % 2 == 0 { options.eagerLinks = 1 }
        return options
    }

    /// The one command that runs this trial again.
    package var command: String {
        var faults = Fault.allCases.filter(self.faults.contains).map(\.rawValue).joined(separator: ",")
        if self.faults.isEmpty { faults = "none" }
        if self.faults.count == Fault.allCases.count { faults = "all" }
        faults = ([faults] + measures.words(of: self.faults)).joined(separator: ",")
        let hours = hours == hours.rounded() ? String(Int(hours)) : String(hours)
        let store = store == .sqlite ? "" : " --store \(store.rawValue)"
        let links = eagerLinks == Limits.eagerLinksCount ? "" : " --eager-links \(eagerLinks)"
        return
            "swift run -c release simulate --seed \(seed) --nodes \(nodes) --hours \(hours) --faults \(faults)\(store)\(links)"
    }

    var milliseconds: UInt64 { UInt64(hours * Double(Trial.hourMilliseconds)) }
}
