/// The carried logs of one identity: in ascending (serial, log id) up to and including the 16th without a settlement
/// (`protocol/identity.md` §6).
///
/// Ranks logs that have a frontier item, never mere certificates: a root key makes certificates for free, but a ranked
/// log is held here. The result depends only on the set of logs ever inserted, not on their order.
package struct Carriage: Hashable, Sendable {
    /// Bound of carried logs without a settlement: more devices than a person owns.
    package static let unsettledLogs = 16

    /// A log with what its rank depends on.
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

    /// The carried logs, in order.
    package private(set) var carried: [Candidate] = []
    /// The carried logs without a settlement; a full list ends the carried ones.
    private var open: [Candidate] = []

    /// Ranks logs in any order; drops those that are not carried.
    package init(_ candidates: some Sequence<Candidate> = []) {
        carried = candidates.sorted()
        open = Array(carried.lazy.filter { $0.end == .open }.prefix(Self.unsettledLogs))
        _ = cut()
    }

    /// Whether a log would be carried if it had a frontier item.
    package func admits(_ candidate: Candidate) -> Bool {
        guard let last = open.last, open.count == Self.unsettledLogs else { return true }
        return candidate <= last
    }

    /// Inserts a log, or updates whether it is settled.
    ///
    /// - Returns: the logs that are no longer carried, the inserted one if it is not admitted.
    package mutating func insert(_ candidate: Candidate) -> [LogID] {
        let place = carried.place(of: candidate)
        if place < carried.count, carried[place].log == candidate.log {
            carried[place] = candidate
        } else {
            carried.insert(candidate, at: place)
        }
        open.removeAll { $0.log == candidate.log }
        if candidate.end == .open {
            open.insert(candidate, at: open.place(of: candidate))
            open = Array(open.prefix(Self.unsettledLogs))
        }
        return cut()
    }

    /// Removes and returns the logs behind the 16th without a settlement.
    private mutating func cut() -> [LogID] {
        guard let last = open.last, open.count == Self.unsettledLogs else { return [] }
        let rest = carried[(carried.place(of: last) + 1)...].map(\.log)
        carried.removeLast(rest.count)
        return rest
    }
}

extension [Carriage.Candidate] {
    /// Index of a candidate in the sorted list, or where it would be inserted.
    fileprivate func place(of candidate: Carriage.Candidate) -> Int { partitioningIndex { $0 >= candidate } }
}

extension Carriage.Candidate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.serial != right.serial ? left.serial < right.serial : left.log < right.log
    }
}
