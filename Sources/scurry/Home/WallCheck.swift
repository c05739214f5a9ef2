import Storage
import Transport

/// Detects a clock behind a time that this home has seen: then posts wait for a past time, and nobody sees why.
enum WallCheck {
    /// Error of a clock that is reported, in milliseconds; minutes are tolerated. A guess.
    private static let tolerance: UInt64 = 600_000

    static func isBehind(_ now: UInt64, _ seen: UInt64) -> Bool { seen > now && seen - now > tolerance }

    /// Prints a line on standard error if the clock was set back since something was written here; `waiting`, which is
    /// counted only then, is the number of posts that are not due.
    static func tell(_ layout: HomeLayout, on console: Console, waiting: @autoclosure () -> Int? = nil) {
        let now = console.now
        guard let written = layout.lastWritten, isBehind(now, written) else { return }
        let clock = "\(TimeText.rfc3339(now)), and this home was written at \(TimeText.rfc3339(written))"
        let posts = waiting().map { $0 == 0 ? "" : "; \(waitingPosts($0))" } ?? ""
        console.note("scurry: note: the clock says \(SafeText(line: clock + posts)); scurry doctor")
    }

    /// Prints that line for a screen that tells of all that is here.
    static func tell(_ desk: ReadingDesk, on console: Console) {
        var query = FeedQuery(now: console.now, reader: desk.own)
        query.limit = StorageLimits.waitingPosts
        tell(desk.home.layout, on: console, waiting: try? desk.store.waiting(query).count)
    }

    static func waitingPosts(_ count: Int) -> String {
        count == 1 ? "1 post waits for its time" : "\(count) posts wait for their time"
    }
}
