/// The extent and duration of each fault: what `--faults latency=500..3000ms,partition=5..60min` sets.
package struct FaultMeasures: Hashable, Sendable {
    /// Ranges that were given in place of `Measure.usual`.
    private var given: [Measure: ClosedRange<UInt64>] = [:]

    package init() {}

    /// The range of a measure, in its unit: milliseconds, or bytes a second.
    package subscript(measure: Measure) -> ClosedRange<UInt64> {
        get { given[measure] ?? measure.usual }
        set { given[measure] = newValue == measure.usual ? nil : newValue }
    }

    /// The measures that differ from the usual ones and apply to these faults, as `name=range`.
    package func words(of faults: Set<Fault>) -> [String] {
        Measure.allCases.filter { $0.fault.map(faults.contains) ?? true }.compactMap { measure in
            given[measure].map { "\(measure.rawValue)=\(measure.unit.text(of: $0))" }
        }
    }

    /// Parses `name=range`; nil if there is no such measure, the range is malformed, or it begins below `least`.
    package mutating func read(_ word: Substring) -> Measure? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let measure = Measure(rawValue: String(parts[0])),
            let range = measure.unit.range(of: parts[1]), range.lowerBound >= measure.least
        else { return nil }
        self[measure] = range
        return measure
    }

    /// One measure of a fault; its name begins with the fault's, except `path`.
    package enum Measure: String, Hashable, Sendable, CaseIterable {
        /// One-way latency between two nodes without faults.
        case path
        /// Latency added to a path.
        case latency
        case latencyTime = "latency-time"
        case oneway
        case partition
        /// Bytes a second that a node reads of each connection.
        case slowreader
        case slowreaderTime = "slowreader-time"
        /// Time until the process runs again after a crash.
        case crash
        /// Time until the process runs again after a power cut.
        case powercut
        /// Time until the person looks after a restore, and between two looks.
        case backup
        /// Mean interval of restores in a network of fifty nodes.
        case backupEvery = "backup-every"
        /// Mean interval of crashes in a network of fifty nodes.
        case crashEvery = "crash-every"
        /// Mean interval of power cuts in a network of fifty nodes.
        case powercutEvery = "powercut-every"
        /// Mean interval of unreadable logs in a network of fifty nodes.
        case damageEvery = "damage-every"
        /// Mean interval of ended logs and accounts in a network of fifty nodes.
        case endingEvery = "ending-every"
        case departureEvery = "departure-every"
        /// Size of a clock jump, either way.
        case clock
        case clockTime = "clock-time"
        /// Error of a clock from the beginning, either way.
        case clockSkew = "clock-skew"
        case diskfull
        /// Time until the process restarts.
        case damage

        package var usual: ClosedRange<UInt64> {
            switch self {
            case .path: 1...80
            case .latency: 500...3_000
            case .latencyTime, .slowreaderTime: 60_000...1_200_000
            case .oneway: 60_000...1_800_000
            case .partition: 300_000...3_600_000
            case .slowreader: 500...8_000
            case .crash, .powercut: 2_000...600_000
            case .backup: 300_000...7_200_000
            case .backupEvery, .crashEvery, .powercutEvery, .damageEvery, .endingEvery, .departureEvery:
                fault.map { $0.meanIntervalMilliseconds...$0.meanIntervalMilliseconds } ?? 0...0
            case .clock: 0...86_400_000
            case .clockTime: 60_000...10_800_000
            case .clockSkew: 0...180_000
            case .diskfull: 60_000...2_400_000
            case .damage: 60_000...1_200_000
            }
        }

        /// The fault that giving the measure switches on; nil: every network has it.
        package var fault: Fault? {
            Fault(rawValue: String(rawValue.prefix { $0 != "-" }))
        }

        var unit: Unit { self == .slowreader ? .bytesPerSecond : .time }
        /// The least value allowed: with less, nothing would ever happen, or everything at once.
        var least: UInt64 {
            switch self {
            case .path, .slowreader: 1
            case .latency, .latencyTime, .oneway, .partition, .slowreaderTime, .crash, .powercut, .backup, .backupEvery,
                .crashEvery, .powercutEvery, .damageEvery, .endingEvery, .departureEvery, .clock, .clockTime,
                .clockSkew, .diskfull, .damage:
                0
            }
        }
    }

    enum Unit {
        case time
        case bytesPerSecond

        /// Unit names and sizes, the largest first; sizes of time in milliseconds.
        private var names: [(name: String, size: UInt64)] {
            switch self {
            case .time: [("h", Trial.hourMilliseconds), ("min", 60_000), ("s", 1_000), ("ms", 1)]
            case .bytesPerSecond: [("kB/s", 1_000), ("B/s", 1)]
            }
        }

        func text(of range: ClosedRange<UInt64>) -> String {
            let ends = [range.lowerBound, range.upperBound]
            guard let unit = names.first(where: { unit in ends.allSatisfy { $0 % unit.size == 0 } }) else { return "" }
            let numbers = ends.map { String($0 / unit.size) }
            return (ends[0] == ends[1] ? numbers[0] : numbers.joined(separator: "..")) + unit.name
        }

        /// Parses `60ms` or `5..60min`: whole numbers, at most a thousand hours.
        func range(of text: Substring) -> ClosedRange<UInt64>? {
            let digits = text.prefix { $0.isNumber || $0 == "." }
            guard let unit = names.first(where: { $0.name == text.dropFirst(digits.count) }) else { return nil }
            let ends = digits.split(separator: "..", omittingEmptySubsequences: false).compactMap { UInt64($0) }
            guard let first = ends.first, let last = ends.last, first <= last,
                last <= 1_000 * Trial.hourMilliseconds / unit.size,
                digits == ends.map(String.init).joined(separator: "..")[...], ends.count <= 2
            else { return nil }
            return first * unit.size...last * unit.size
        }
    }
}

extension Fault {
    /// Parses `all`, `none`, names and measures, with commas between them; a measure switches its fault on.
    package static func parseMeasured(_ list: String) -> (faults: Set<Fault>, measures: FaultMeasures)? {
        var names: [Substring] = []
        var faults: Set<Fault> = []
        var measures = FaultMeasures()
        for word in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard word.contains("=") else {
                names.append(word)
                continue
            }
            guard let measure = measures.read(word) else { return nil }
            if let fault = measure.fault { faults.insert(fault) }
        }
        if !names.isEmpty {
            guard let named = parse(names.joined(separator: ",")) else { return nil }
            faults.formUnion(named)
        }
        return (faults, measures)
    }
}
