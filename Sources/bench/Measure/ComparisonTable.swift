/// Tables of our figures beside the goals and the other programs.
struct ComparisonTable {
    /// Medians of the runs.
    let ours: Figures

    /// A row for each figure that has a goal, with its share of the machine's best.
    var goals: String {
        let rows = ours.names.compactMap { figure -> [String]? in
            guard let goal = PeerFigures.goals.range(of: figure) else { return nil }
            let share = MachineLimits.shares[figure].flatMap { ours[$0] }
            return [
                Self.title(figure), ours.number(of: figure), Self.plain(goal.lowerBound), ratios(figure, goal),
                share.map { "\(Int(($0 * 100).rounded())) %" } ?? "–",
            ]
        }
        return Self.table(["", "Scurry", "goal", "better than the goal", "share of the limit"], rows)
    }

    /// The figures without a goal.
    var others: String {
        let shares = Set(MachineLimits.shares.values)
        let rows = ours.names.filter { PeerFigures.goals.range(of: $0) == nil && !shares.contains($0) }
            .map { [Self.title($0), ours.number(of: $0)] }
        return Self.table(["", ""], rows)
    }

    /// A row for each figure that is known of another program.
    var peers: String {
        let others = PeerFigures.all
        let known = ours.names.filter { figure in others.contains { $0.range(of: figure) != nil } }
        let rows = known.map { figure in
            [Self.title(figure), ours.number(of: figure)] + others.map { cell(figure, $0) }
        }
        return Self.table(["", "Scurry"] + others.map(\.name), rows)
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, ["---"] + head.dropFirst().map { _ in "---:" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private static func title(_ figure: String) -> String { figure.replacing("_", with: " ") }

    /// `150–170 (9.9–11 ×)`
    private func cell(_ figure: String, _ peer: PeerFigures) -> String {
        guard let range = peer.range(of: figure) else { return "–" }
        let quoted = Self.text(range.lowerBound, range.upperBound, Self.plain)
        guard let value = ours[figure], value > 0, range.lowerBound > 0 else { return quoted }
        return "\(quoted) (\(ratios(figure, range)))"
    }

    private func ratios(_ figure: String, _ range: ClosedRange<Double>) -> String {
        guard let value = ours[figure], value > 0 else { return "–" }
        let ratios =
            PeerFigures.isBetterHigh(figure)
            ? (value / range.upperBound, value / range.lowerBound)
            : (range.lowerBound / value, range.upperBound / value)
        return Self.text(ratios.0, ratios.1, Self.rounded) + " ×"
    }

    private static func text(_ low: Double, _ high: Double, _ one: (Double) -> String) -> String {
        one(low) == one(high) ? one(low) : "\(one(low))–\(one(high))"
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    /// Two significant digits; none behind the point from 10 on.
    private static func rounded(_ value: Double) -> String {
        if value >= 10 { return String(Int(value.rounded())) }
        return String(value < 1 ? (value * 100).rounded() / 100 : (value * 10).rounded() / 10)
    }
}
