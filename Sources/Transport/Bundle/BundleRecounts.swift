internal import Entries
internal import Sync

/// How often one file has made the entries of each identity be counted anew: the bound on what the rest of it may cost
/// (`protocol/bundle.md` §4).
///
/// To count anew is to go over all that an identity wrote. A few hundred bytes bring it about, be they a settlement, a
/// fork, or a log that takes another one's place, in whichever log of the identity; and what a file brings no quota
/// delays. So what is bounded is the count itself, and not what brought it about.
struct BundleRecounts {
    private var counts: [IdentityID: Int] = [:]
    /// Bytes that all of it counts for, as in quotas (`protocol/node.md` §3).
    private var bytes: UInt64 = 0

    /// Notes what a transaction with a part of the file counted anew.
    mutating func add(_ recounted: [TakeReport.Recount]) {
        for recount in recounted {
            bytes += recount.quotaBytes
            let count = counts[recount.identity]
            // One without a place is spent anyway.
            guard count != nil || !isFull else { continue }
            counts[recount.identity] = (count ?? 0) + 1
        }
    }

    /// Whether nothing new of this identity is taken out of the rest of the file, but the end of its account and
    /// bodies.
    ///
    /// Once `bundleRecountedIdentities` have been counted anew, that goes for all others; once
    /// `bundleRecountedBytes` have, for everybody.
    func isSpent(_ identity: IdentityID) -> Bool {
        guard bytes < TransportLimits.bundleRecountedBytes else { return true }
        guard let count = counts[identity] else { return isFull }
        return count >= TransportLimits.bundleRecounts
    }

    private var isFull: Bool { counts.count >= TransportLimits.bundleRecountedIdentities }
}

/// The files that commands read into a running node: it is asked for one frame at a time, and what a file may cost is
/// bounded over all of them.
struct BundleReadings {
    /// The one that was read last comes last.
    private var files: [(number: UInt64, recounts: BundleRecounts)] = []

    /// Takes out what a file has made to be counted anew, until `keep` puts it back; for a file that is not known, and
    /// for nil, nothing was.
    mutating func take(_ file: UInt64?) -> BundleRecounts {
        guard let index = files.firstIndex(where: { $0.number == file }) else { return BundleRecounts() }
        return files.remove(at: index).recounts
    }

    /// Keeps it for the file's next frame; of more than `bundlesRead` files the one that was read longest ago is
    /// forgotten.
    mutating func keep(_ recounts: BundleRecounts, of file: UInt64?) {
        guard let file else { return }
        files.append((file, recounts))
        if files.count > TransportLimits.bundlesRead { files.removeFirst() }
    }
}
