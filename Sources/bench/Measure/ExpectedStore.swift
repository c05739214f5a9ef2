import Entries
import Storage
import Transport

/// What one store holds, as it is to be found in another.
struct ExpectedStore {
    private let reader: StoreReader
    private let path: String
    private let posts: UInt64
    private let fingerprint: Fingerprint

    init(_ expected: TemporaryHome, in home: TemporaryHome) throws {
        let there = try expected.reader()
        (posts, fingerprint) = (try there.latestArrival(), try there.fingerprint().fingerprint)
        reader = try home.reader()
        path = home.layout.store
    }

    /// To add up every log again and again would take a core from the nodes that are measured: posts are counted until all
    /// are there, and `look` is called before each time at which it is added up; the last time all was there.
    func wait(seconds: Double, _ look: () throws -> Void) throws {
        let commits = try CommitWatch(path)
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
            // The newest entries make the fingerprint; history comes behind them.
            return report.fingerprint == fingerprint && report.gaps == 0
        }
    }
}
