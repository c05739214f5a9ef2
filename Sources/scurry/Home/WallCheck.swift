import Storage
import Transport

/// Whether the clock stands behind what this home has seen: then posts wait for a time that has been, and nobody sees why.
enum WallCheck {
    /// A clock is called wrong beyond this, in milliseconds: minutes are nobody's business; a guess.
    private static let tolerance: UInt64 = 600_000

    static func isBehind(_ now: UInt64, _ seen: UInt64) -> Bool { seen > now && seen - now > tolerance }

    /// One line on standard error if the clock was set back since something was written here; `waiting` counts the posts
    /// that are not due.
    static func tell(_ layout: HomeLayout, on console: Console, waiting: Int? = nil) {
        let now = console.now
        guard let written = layout.lastWritten, isBehind(now, written) else { return }
        let clock = "\(TimeText.rfc3339(now)), and this home was written at \(TimeText.rfc3339(written))"
        let posts = waiting.map { $0 == 0 ? "" : "; \(waitingPosts($0))" } ?? ""
        console.note("scurry: note: the clock says \(SafeText(line: clock + posts)); scurry doctor")
    }

    static func waitingPosts(_ count: Int) -> String {
        count == 1 ? "1 post waits for its time" : "\(count) posts wait for their time"
    }
}
