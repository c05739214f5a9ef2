/// Which logs of one identity a node carries: in ascending (serial, log id) up to and including the 16th that has no
/// settlement (`protocol/identity.md` §6).
///
/// Ranked are logs that have a frontier item, never a mere certificate: a root key makes certificates as it likes, but a
/// log that is counted here is held here. A pure function of the set that was ever inserted, in whatever order.
package struct Carriage: Hashable, Sendable {
    /// Logs without a settlement that one identity has, at most: more devices than a person owns.
    package static let unsettledLogs = 16

    /// A log as the ranking sees it.
    package struct Candidate: Hashable, Sendable {
        package let serial: UInt64
        package let log: LogID
        package let end: End

        package enum End: Hashable, Sendable {
            case open
            case settled
        }

        package init(serial: UInt64, log: LogID, end: End) {
            self.serial = serial
            self.log = log
            self.end = end
        }
    }

    /// Those that are carried, in their order.
    package private(set) var carried: [Candidate] = []

    package init() {}

    /// Whether a log would be carried, had it a frontier item.
    package func admits(_ candidate: Candidate) -> Bool {
        carried.count { $0 < candidate && $0.end == .open } < Self.unsettledLogs
    }

    /// Puts a log in its place, with what is now known of its end.
    ///
    /// - Returns: the logs that are not carried now, the one itself if it is not admitted.
    package mutating func insert(_ candidate: Candidate) -> [LogID] {
        carried.removeAll { $0.log == candidate.log }
        let place = carried.firstIndex { candidate < $0 } ?? carried.endIndex
        carried.insert(candidate, at: place)
        var open = 0
        let kept = carried.prefix { candidate in
            guard open < Self.unsettledLogs else { return false }
            if candidate.end == .open { open += 1 }
            return true
        }
        defer { carried = Array(kept) }
        return carried.dropFirst(kept.count).map(\.log)
    }
}

extension Carriage.Candidate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.serial != right.serial ? left.serial < right.serial : left.log < right.log
    }
}
