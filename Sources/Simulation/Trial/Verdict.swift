/// The result of a trial.
package struct Verdict: Sendable {
    package let options: TrialOptions
    package let findings: [Finding]
    package let faults: [Fault: Int]
    package let lies: LieTally
    package let figures: [Figure]
    package let traceHash: UInt64

    package init(
        options: TrialOptions,
        findings: [Finding],
        faults: [Fault: Int],
        lies: LieTally,
        figures: [Figure],
        traceHash: UInt64
    ) {
        self.options = options
        self.findings = findings
        self.faults = faults
        self.lies = lies
        self.figures = figures
        self.traceHash = traceHash
    }

    package var isGood: Bool { findings.isEmpty }

    /// The lines that are printed.
    package var lines: [String] {
        var lines = ["seed \(options.seed)"]
        let happened = Fault.allCases.compactMap { fault in faults[fault].map { "\(fault.rawValue) \($0)" } }
        lines.append("faults: " + (happened.isEmpty ? "none" : happened.joined(separator: ", ")))
        if !lies.told.isEmpty { lines.append("lies: " + lies.words.joined(separator: ", ")) }
        lines += figures.map { "\($0.name): \($0.value)" }
        lines.append("trace " + String(traceHash, radix: 16))
        // Five findings of each checker tell enough; the rest is more of the same.
        for checker in findings.map(\.checker).reduce(into: [String](), { if !$0.contains($1) { $0.append($1) } }) {
            let of = findings.filter { $0.checker == checker }
            lines += of.prefix(5).map { "FOUND \($0)" }
            if of.count > 5 { lines.append("FOUND \(checker): \(of.count - 5) more") }
        }
        lines.append(isGood ? "verdict: good" : "verdict: bad, again with: \(options.command)")
        return lines
    }
}

/// One number of a trial.
package struct Figure: Hashable, Sendable {
    package let name: String
    package let value: UInt64

    init(_ name: String, _ value: UInt64) {
        self.name = name
        self.value = value
    }
}
