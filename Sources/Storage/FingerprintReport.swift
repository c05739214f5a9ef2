package import Entries

/// The fingerprint that two nodes compare, and how complete the frontier is.
package struct FingerprintReport: Hashable, Sendable {
    package let fingerprint: Fingerprint
    package let logs: Int
    package let entries: Int
    /// Logs of which a peer announced more than any peer supplied: that is not proven, and counts for nothing.
    package let unsuppliedLogs: Int
    package let wantedBodies: Int
    /// Logs with a gap.
    package let gaps: Int
    /// Bodies evicted to keep within the disk budget, and not wanted.
    package let evictedBodies: Int

    /// Whether nothing is missing but evicted bodies.
    package var isSettled: Bool { wantedBodies == 0 && gaps == 0 }
    package var isComplete: Bool { isSettled && evictedBodies == 0 }
}
