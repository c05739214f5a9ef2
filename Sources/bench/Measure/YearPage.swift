/// The yearly needs of a campus, computed from the measured days.
struct YearPage {
    let people: Int
    /// Figures of the store at each size.
    let looks: [Figures]
    /// All figures at the last size.
    let figures: Figures

    private static let days = 365.0
    private var perDay: Double { Double(people * CampusDays.entriesPerDay) }

    /// Measured values times the entries of a year or a day.
    var year: Figures {
        var year = Figures()
        year.add("entries_per_day", perDay)
        year.add("entries_per_year", perDay * Self.days)
        let each = figures["database_bytes_per_entry"] ?? .nan
        year.add("disk_gigabytes_per_day", each * perDay / 1e9)
        year.add("disk_gigabytes_per_year", each * perDay * Self.days / 1e9)
        year.add("live_gigabytes_per_day_from_one_peer", (figures["live_bytes_per_entry"] ?? .nan) * perDay / 1e9)
        year.add("hourly_gigabytes_per_day", (figures["hour_bytes_per_entry"] ?? .nan) * perDay / 1e9)
        year.add(
            "live_receiver_cpu_share_of_one_core",
            (figures["live_receiver_cpu_microseconds_per_entry"] ?? .nan) * perDay / 86_400e6
        )
        let rate = figures["first_sync_entries_per_second"] ?? .nan
        year.add("first_sync_hours_for_a_year", perDay * Self.days / rate / 3_600)
        return year
    }

    var json: String {
        var all = Figures()
        all.add("people", Double(people))
        all.add(figures)
        all.add(year, prefix: "extrapolated_")
        return all.text(.json)
    }

    var markdown: String {
        """
        \(Machine.heading)

        Measured: a store that is filled with what \(people) people write, at each size.

        \(FigureTable(looks).markdown)

        Measured at the last size: an empty node meets it; a node that lacks an hour comes back; entries come live, one of
        another person each.

        \(FigureTable([figures.part("first_sync_")]).markdown)

        \(FigureTable([figures.part("hour_")]).markdown)

        \(FigureTable([figures.part("live_")]).markdown)

        Extrapolated, each line a product of a figure above and the entries of a day or a year:

        \(year.list)
        """
    }
}
