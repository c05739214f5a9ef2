/// The page of `bench compare`: our figures beside the goals and the other programs, and the machine's limits.
struct ComparisonPage {
    let medians: Figures
    let runs: Int

    private var measured: Figures { medians.without("limit_") }

    var markdown: String {
        """
        \(Machine.heading) Medians of \(runs) runs.

        \(ComparisonTable(ours: measured).goals)

        The share is that of what this machine does at best: of the posts a second that SQLite takes through C; of the least
        processor time for hashing, sealing, checking and storing a post; of the least time for two round trips, checking and
        storing 100 posts; in which two threads with nothing else around them are told of a post, sign, commit to disk, send,
        check and store it, a hundred a second; of the posts a second that one thread checks one by one and stores, in processor time; of the
        same rows read in C; of a start of the program that reads nothing; and, of the bytes of a frontier in a campus
        pattern, those that two nodes with a cursor say. Bytes, memory and disk have no such limit.

        Also measured:

        \(ComparisonTable(ours: measured).others)

        What the machine can do at best, measured in the same runs:

        \(FigureTable([medians.part("limit_")]).markdown)

        Beside others:

        \(ComparisonTable(ours: measured).peers)

        \(PeerFigures.notes)
        """
    }

    /// A few lines for people who only want to know whether it is fast.
    var short: String {
        """
        | Measured on \(Machine.date), two nodes on one machine of 2 cores, everything verified and stored | |
        |---|---|
        | first sync of 100,000 posts by 1,000 writers | \(seconds("first_sync_wall_seconds")) s: \
        \(thousands("first_sync_posts_per_second")) posts a second, \(short("first_sync_cpu_microseconds_per_post")) µs of \
        CPU a post for both sides |
        | on the wire, in the database | \(whole("first_sync_bytes_per_post")) bytes, \
        \(whole("first_sync_database_bytes_per_post")) bytes a post of 200 bytes |
        | memory at most, sender and receiver | \(whole("first_sync_sender_peak_megabytes")) MB, \
        \(whole("first_sync_receiver_peak_megabytes")) MB |
        | 100 new among 100,000, connecting included | \(short("new_milliseconds")) ms, \
        \(whole("new_bytes", per: 1_000)) KB; both just started \(short("new_started_milliseconds")) ms, \
        \(whole("new_started_bytes", per: 1_000)) KB; both just started and comparing all they hold \(short("new_without_cursor_milliseconds")) ms, \
        \(whole("new_without_cursor_bytes", per: 1_000)) KB |
        | nothing new, on an open connection | \(whole("open_nothing_new_bytes")) bytes, \
        \(whole("open_nothing_new_round_trips")) round trip |
        | a live post, 100 a second, from the hand-over to its writer's node until it is in the reader's database | \(short("live_p50_milliseconds")) ms, \
        99 of 100 within \(short("live_p99_milliseconds")) ms |
        | live posts verified and stored, 12,500 a second asked for | \
        \(thousands("sustained_stored_posts_per_second")) a second |
        | a page, an author, a thread out of the store | \(precise("store_page_milliseconds")) ms, \
        \(precise("store_author_milliseconds")) ms, \(precise("store_thread_milliseconds")) ms |
        | `scurry feed` from start to end | \(short("feed_milliseconds")) ms |
        """
    }

    private func value(_ name: String) -> Double { medians[name] ?? .nan }

    private func seconds(_ name: String) -> String { Self.places(value(name), 100) }
    private func precise(_ name: String) -> String { Self.places(value(name), 100) }
    private func short(_ name: String) -> String { Self.places(value(name), 10) }

    private func whole(_ name: String, per unit: Double = 1) -> String {
        let value = value(name) / unit
        return value.isFinite ? String(Int(value.rounded())) : "–"
    }

    /// Rounded to hundreds, with a thousands comma.
    private func thousands(_ name: String) -> String {
        guard value(name).isFinite else { return "–" }
        let hundreds = Int((value(name) / 100).rounded())
        let (thousands, rest) = hundreds.quotientAndRemainder(dividingBy: 10)
        return thousands == 0 ? "\(rest)00" : "\(thousands),\(rest)00"
    }

    private static func places(_ value: Double, _ parts: Double) -> String {
        guard value.isFinite else { return "–" }
        let rounded = (value * parts).rounded() / parts
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
