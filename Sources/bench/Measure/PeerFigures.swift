/// What others need for the same: an empty node, 100,000 signed posts of some 200 bytes by 1,000 writers.
///
/// Quoted, not measured here: medians on two cores over loopback, taken in November 2026 on a machine like those that this
/// project measures on. Where a range was given, both ends stand; where nothing was, nothing does.
struct PeerFigures {
    let name: String
    /// Lowest and highest, by the name of our figure.
    let values: [(figure: String, low: Double, high: Double)]

    func range(of figure: String) -> ClosedRange<Double>? {
        values.first { $0.figure == figure }.map { $0.low...$0.high }
    }

    /// `posts_per_second`, and whatever else more is better of.
    static func isBetterHigh(_ figure: String) -> Bool { figure.hasSuffix("per_second") }

    static let all = [
        PeerFigures(
            name: "strfry (C++, LMDB, negentropy)",
            values: [
                ("posts_per_second", 2_650, 2_650), ("cpu_microseconds_per_post", 150, 170),
                ("bytes_per_post", 712, 712),
                ("database_bytes_per_post", 1_635, 1_635), ("receiver_peak_megabytes", 199, 199),
                ("new_milliseconds", 71, 81), ("new_bytes", 76_000, 89_000), ("nothing_new_bytes", 1_800, 1_800),
                ("p50_milliseconds", 49, 49), ("p99_milliseconds", 101, 101),
                ("stored_posts_per_second", 10_000, 10_000),
            ]
        ),
        PeerFigures(
            name: "nostr-sdk 0.44 (Rust)",
            values: [
                ("posts_per_second", 270, 750), ("cpu_microseconds_per_post", 580, 770), ("bytes_per_post", 780, 780),
                ("database_bytes_per_post", 1_847, 1_847), ("receiver_peak_megabytes", 230, 230),
                ("new_milliseconds", 600, 600), ("new_bytes", 77_000, 122_000), ("nothing_new_bytes", 1_100, 1_100),
                ("p50_milliseconds", 2, 3), ("p99_milliseconds", 8, 51), ("stored_posts_per_second", 1_000, 1_000),
            ]
        ),
        PeerFigures(
            name: "iroh-docs 0.35 (Rust)",
            values: [
                ("posts_per_second", 1_300, 1_700), ("cpu_microseconds_per_post", 840, 840),
                ("bytes_per_post", 790, 830), ("database_bytes_per_post", 1_390, 1_390),
                ("receiver_peak_megabytes", 450, 450), ("new_milliseconds", 230, 230), ("new_bytes", 380_000, 380_000),
                ("nothing_new_bytes", 25_000, 61_000), ("p50_milliseconds", 2.7, 2.7), ("p99_milliseconds", 7, 11),
                ("stored_posts_per_second", 1_000, 1_000),
            ]
        ),
        PeerFigures(
            name: "INN 2.7, ring buffer (C, checks no signatures)",
            values: [
                ("posts_per_second", 38_000, 45_000), ("cpu_microseconds_per_post", 20, 20),
                ("bytes_per_post", 583, 583), ("database_bytes_per_post", 352, 352),
                ("receiver_peak_megabytes", 21, 21),
            ]
        ),
    ]

    /// What this project set out to reach.
    static let goals = PeerFigures(
        name: "goal",
        values: [
            ("posts_per_second", 100_000, 100_000), ("cpu_microseconds_per_post", 20, 20), ("bytes_per_post", 250, 250),
            ("database_bytes_per_post", 430, 430), ("receiver_peak_megabytes", 80, 80), ("new_milliseconds", 10, 10),
            ("new_bytes", 40_000, 40_000), ("nothing_new_bytes", 100, 100), ("p50_milliseconds", 1, 1),
            ("p99_milliseconds", 5, 5), ("stored_posts_per_second", 10_000, 10_000), ("feed_milliseconds", 25, 25),
        ]
    )
}
