/// The quota of each identity, a token bucket (`protocol/node.md` §3, Quotas).
///
/// Counts bytes; bounds: `Limits.quotaBurstBytes` and `quotaBytesPerSecond` (`NodeBounds`). Delays, and never refuses.
/// Full buckets are forgotten.
struct Quotas {
    private struct Bucket {
        var bytes: Int64
        var at: UInt64
    }

    private let burstBytes: Int64
    private let bytesPerSecond: Int64
    private var buckets: [UInt64: Bucket] = [:]
    private var sweepAt = Limits.quotasUnsweptCount

    init(_ bounds: NodeBounds = NodeBounds()) {
        burstBytes = bounds.quotaBurstBytes
        bytesPerSecond = bounds.quotaBytesPerSecond
    }

    var count: Int { buckets.count }
    /// The largest debt: a day of refill, since nobody waits longer and no longer refill is counted at once.
    private var leastBytes: Int64 { -bytesPerSecond * Int64(Limits.retryMaximumMilliseconds / 1_000) }

    /// Charges received bytes; the level may become negative, since they are received already.
    mutating func charge(_ owner: UInt64, bytes: Int, now: UInt64) {
        let before = level(owner, now: now)
        buckets[owner] = Bucket(bytes: max(before - Int64(bytes), leastBytes), at: now)
        guard buckets.count > sweepAt else { return }
        buckets = buckets.filter { level($0.value, now: now) < burstBytes }
        sweepAt = max(Limits.quotasUnsweptCount, buckets.count * 2)
    }

    /// When the identity may be asked for more; nil: now.
    func delay(_ owner: UInt64, now: UInt64) -> UInt64? {
        let level = level(owner, now: now)
        guard level < 0 else { return nil }
        return now + UInt64(-level * 1_000 / bytesPerSecond) + 1
    }

    /// Whether even chunks on their way are dropped. An answer under way may bring as much as the burst once more: a
    /// log somewhat longer than the burst comes in one go, and an endless one does not.
    func isOverdrawn(_ owner: UInt64, now: UInt64) -> Bool {
        level(owner, now: now) < -burstBytes
    }

    private func level(_ owner: UInt64, now: UInt64) -> Int64 {
        buckets[owner].map { level($0, now: now) } ?? burstBytes
    }

    private func level(_ bucket: Bucket, now: UInt64) -> Int64 {
        let elapsed = Int64(clamping: min(now &- bucket.at, UInt64(Limits.retryMaximumMilliseconds)))
        return min(burstBytes, bucket.bytes + elapsed * bytesPerSecond / 1_000)
    }
}
