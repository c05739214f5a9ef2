/// The results of a measurement: names with their units, in the order in which they were added.
struct Figures {
    private var values: [(name: String, value: Double)] = []

    mutating func add(_ name: String, _ value: Double) {
        values.append((name, value))
    }

    mutating func add(_ others: Figures, prefix: String = "") {
        for (name, value) in others.values { add(prefix + name, value) }
    }

    /// The figures whose names have a prefix, without it.
    func part(_ prefix: String) -> Figures {
        var part = Figures()
        for (name, value) in values where name.hasPrefix(prefix) {
            part.add(String(name.dropFirst(prefix.count)), value)
        }
        return part
    }

    /// The figures whose names do not have a prefix.
    func without(_ prefix: String) -> Figures {
        var rest = Figures()
        for (name, value) in values where !name.hasPrefix(prefix) { rest.add(name, value) }
        return rest
    }

    var names: [String] { values.map(\.name) }

    subscript(name: String) -> Double? { values.first { $0.name == name }?.value }

    /// A figure as it is printed; a dash where there is none.
    func number(of name: String) -> String { self[name].map(Self.number) ?? "–" }

    /// The median of each figure over several runs of the same measurement.
    static func medians(of runs: [Figures]) -> Figures {
        var medians = Figures()
        for name in runs.first?.names ?? [] {
            medians.add(name, Quantile.of(runs.compactMap { $0[name] }, 0.5))
        }
        return medians
    }

    /// One JSON object, or a line for each figure.
    func text(_ format: Format) -> String {
        switch format {
        case .json: "{" + values.map { "\"\($0.name)\":\(Self.number($0.value))" }.joined(separator: ",") + "}"
        case .pairs: values.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        case .lines: values.map { "\($0.name): \(Self.number($0.value))" }.joined(separator: "\n")
        }
    }

    /// A list for a page.
    var list: String {
        values.map { "- \($0.name.replacing("_", with: " ")): \(Self.number($0.value))" }.joined(separator: "\n")
    }

    enum Format {
        case json
        case lines
        /// One line, which `init(pairs:)` reads.
        case pairs
    }

    init() {}

    /// Parses `name=value` pairs, and skips anything else.
    init(pairs line: String) {
        for pair in line.split(separator: " ") {
            let parts = pair.split(separator: "=")
            guard parts.count == 2, let value = Double(parts[1]) else { continue }
            add(String(parts[0]), value)
        }
    }

    /// Whole numbers as they are, others to three places.
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int64(rounded)) : String(rounded)
    }
}

enum Quantile {
    /// The quantile of the samples by nearest rank; 0 if there are none.
    static func of(_ samples: [Double], _ fraction: Double) -> Double {
        let sorted = samples.sorted()
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((fraction * Double(sorted.count)).rounded(.up)) - 1
        return sorted[min(max(rank, 0), sorted.count - 1)]
    }
}
