import Entries
import Storage
import Transport

/// The present contents of one store, which another one is expected to reach; to be waited for on the thread that makes
/// it (`CommitWatch`).
struct ExpectedStore {
    private let reader: StoreReader
    private let commits: CommitWatch
    private let posts: UInt64
    private let fingerprint: Fingerprint

    init(_ expected: TemporaryHome, in home: TemporaryHome) throws {
        let there = try expected.reader()
        (posts, fingerprint) = (try there.latestArrival(), try there.fingerprint().fingerprint)
        reader = try home.reader()
        commits = try CommitWatch(home.layout.store)
    }

    /// Waits until the other store holds the same. Posts are counted until all are there, since computing the
    /// fingerprint again and again would take a core from the measured nodes; `look` is called before each computation,
    /// so last when all was there.
    func wait(seconds: Double, _ look: () throws -> Void) throws {
        let deadline = Stopwatch.now() + seconds
        while try reader.latestArrival() < posts {
            guard commits.wait(until: deadline) else {
                throw BenchError("as many posts did not arrive within \(Int(seconds)) s")
            }
        }
        var seen: Int?
        try Stopwatch.wait(for: "an equal fingerprint", seconds: seconds, every: 500) {
            let version = try reader.dataVersion()
            guard version != seen else { return false }
            seen = version
            try look()
            let report = try reader.fingerprint()
            // The fingerprint does not cover gaps: history arrives behind the newest entries.
            return report.fingerprint == fingerprint && report.gaps == 0
        }
    }
}
