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
    /// Of them those without a settlement: the 16th ends the list.
    private var open: [Candidate] = []

    /// Ranks many logs at once, in whatever order; those that are not carried are left out.
    package init(_ candidates: some Sequence<Candidate> = []) {
        carried = candidates.sorted()
        open = Array(carried.lazy.filter { $0.end == .open }.prefix(Self.unsettledLogs))
        _ = cut()
    }

    /// Whether a log would be carried, had it a frontier item.
    package func admits(_ candidate: Candidate) -> Bool {
        guard let last = open.last, open.count == Self.unsettledLogs else { return true }
        return candidate <= last
    }

    /// Puts a log in its place, with what is now known of its end.
    ///
    /// - Returns: the logs that are not carried now, the one itself if it is not admitted.
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

    /// Takes off what stands behind the 16th without a settlement.
    private mutating func cut() -> [LogID] {
        guard let last = open.last, open.count == Self.unsettledLogs else { return [] }
        let rest = carried[(carried.place(of: last) + 1)...].map(\.log)
        carried.removeLast(rest.count)
        return rest
    }
}

extension [Carriage.Candidate] {
    /// Where one stands in a list that ascends, or would stand.
    fileprivate func place(of candidate: Carriage.Candidate) -> Int {
        var bounds = startIndex..<endIndex
        while !bounds.isEmpty {
            let middle = bounds.lowerBound + bounds.count / 2
            bounds = self[middle] < candidate ? middle + 1..<bounds.upperBound : bounds.lowerBound..<middle
        }
        return bounds.lowerBound
    }
}

extension Carriage.Candidate: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.serial != right.serial ? left.serial < right.serial : left.log < right.log
    }
}
