/// What each identity may bring in a time: it delays, and never refuses (D17).
///
/// A bucket for each identity that brought something lately; what is full again is forgotten.
struct Quotas {
    private struct Bucket {
        var bytes: Int64
        var at: UInt64
    }

    /// A debt is paid within a day: longer nobody waits, and no more time counts at once.
    private static let leastBytes = -Limits.quotaBytesPerSecond * Int64(Limits.retryMaximumMilliseconds / 1_000)

    private var buckets: [UInt64: Bucket] = [:]
    private var sweepAt = 4_096

    var count: Int { buckets.count }

    /// Takes what came; the bucket may go below nothing, since what is here is here.
    mutating func charge(_ owner: UInt64, bytes: Int, now: UInt64) {
        let before = level(owner, now: now)
        buckets[owner] = Bucket(bytes: max(before - Int64(bytes), Self.leastBytes), at: now)
        guard buckets.count > sweepAt else { return }
        buckets = buckets.filter { Self.level($0.value, now: now) < Limits.quotaBurstBytes }
        sweepAt = max(4_096, buckets.count * 2)
    }

    /// When the identity may be asked for more; nil: now.
    func delay(_ owner: UInt64, now: UInt64) -> UInt64? {
        let level = level(owner, now: now)
        guard level < 0 else { return nil }
        return now + UInt64(-level * 1_000 / Limits.quotaBytesPerSecond) + 1
    }

    /// Not even what is on its way already is taken.
    func isOverdrawn(_ owner: UInt64, now: UInt64) -> Bool {
        level(owner, now: now) < -Limits.quotaOverdraftBytes
    }

    private func level(_ owner: UInt64, now: UInt64) -> Int64 {
        buckets[owner].map { Self.level($0, now: now) } ?? Limits.quotaBurstBytes
    }

    private static func level(_ bucket: Bucket, now: UInt64) -> Int64 {
        let elapsed = Int64(clamping: min(now &- bucket.at, UInt64(Limits.retryMaximumMilliseconds)))
        return min(Limits.quotaBurstBytes, bucket.bytes + elapsed * Limits.quotaBytesPerSecond / 1_000)
    }
}
