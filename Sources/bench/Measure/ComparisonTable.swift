/// Ours beside the goal and the others: a row for each figure.
struct ComparisonTable {
    let ours: Figures

    var markdown: String {
        let others = PeerFigures.all
        let head = ["", "Scurry", "goal"] + others.map(\.name)
        let rows = ours.names.map { figure in
            [figure.replacing("_", with: " "), ours.number(of: figure), cell(figure, PeerFigures.goals, .plain)]
                + others.map { cell(figure, $0, .withRatio) }
        }
        return ([head, ["---"] + head.dropFirst().map { _ in "---:" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    private enum Form {
        case plain
        case withRatio
    }

    /// `150–170 (9.9–11 ×)`
    private func cell(_ figure: String, _ peer: PeerFigures, _ form: Form) -> String {
        guard let range = peer.range(of: figure) else { return "–" }
        let quoted = Self.text(range.lowerBound, range.upperBound, Self.plain)
        guard form == .withRatio, let value = ours[figure], value > 0, range.lowerBound > 0 else { return quoted }
        let ratios =
            PeerFigures.isBetterHigh(figure)
            ? (value / range.upperBound, value / range.lowerBound)
            : (range.lowerBound / value, range.upperBound / value)
        return "\(quoted) (\(Self.text(ratios.0, ratios.1, Self.rounded)) ×)"
    }

    private static func text(_ low: Double, _ high: Double, _ one: (Double) -> String) -> String {
        one(low) == one(high) ? one(low) : "\(one(low))–\(one(high))"
    }

    private static func plain(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }

    /// Two digits that count.
    private static func rounded(_ value: Double) -> String {
        value >= 10 ? String(Int(value.rounded())) : String((value * 10).rounded() / 10)
    }
}
