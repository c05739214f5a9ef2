import Foundation

/// The points of `bench growth` in a file, and the program that draws them (gnuplot 5).
struct GrowthPlot {
    private let points: [Figures]

    init(_ points: [Figures]) {
        self.points = points
    }

    /// - Throws: what the file system says.
    func write(to directory: String) throws {
        let place = URL(fileURLWithPath: directory, isDirectory: true)
        try FigureTable(points).tabs.write(
            to: place.appendingPathComponent("growth.tsv"),
            atomically: true,
            encoding: .utf8
        )
        try program.write(to: place.appendingPathComponent("growth.gp"), atomically: true, encoding: .utf8)
    }

    /// Three panels over the posts and three over the writers; both axes are logarithmic, so that a line of slope one is
    /// linear growth and a level line none.
    private var program: String {
        let panels = [
            ("wall_seconds", "seconds"), ("receiver_peak_megabytes", "MB"), ("new_milliseconds", "ms for 100 new"),
        ]
        let columns = points.first?.names ?? []
        func column(_ name: String) -> Int { (columns.firstIndex(of: name) ?? 0) + 1 }
        var lines = [
            "set terminal pngcairo size 1200,800 noenhanced", "set output 'growth.png'",
            "set datafile separator '\\t'", "set key off", "set logscale xy", "set grid",
            "set format x '%.0f'", "set yrange [*:*]", "set multiplot layout 2,3",
        ]
        for (over, other) in [("posts", "writers"), ("writers", "posts")] {
            // The axis is the figure that changes while the other one stays at the commonest value.
            let fixed = commonest(other)
            for (name, unit) in panels {
                lines.append("set xlabel '\(over)'; set ylabel '\(unit)'")
                lines.append(
                    "plot 'growth.tsv' skip 1 using (column(\(column(other)))==\(fixed)?column(\(column(over))):NaN)"
                        + ":\(column(name)) with linespoints pointtype 7"
                )
            }
        }
        return lines.joined(separator: "\n") + "\nunset multiplot\n"
    }

    private func commonest(_ name: String) -> Int {
        let values = points.compactMap { $0[name].map { Int($0) } }
        return Dictionary(grouping: values) { $0 }.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key ?? 0
    }
}
