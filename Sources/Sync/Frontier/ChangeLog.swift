import Entries

/// The change log of the frontier: pairs of change number and log number, ascending, with the size of each log before
/// the change.
///
/// A log that changes again leaves its old pair behind; `Frontier` skips those, and compacts when they are the
/// majority.
struct ChangeLog {
    private(set) var numbers: [UInt64] = []
    private(set) var logs: [UInt32] = []
    /// Size of the log before the change.
    private(set) var sizesBefore: [UInt32] = []
    /// Above this number no change is missing, so that the sizes before are right.
    private(set) var wholeAfter: UInt64 = 0

    var count: Int { logs.count }

    mutating func reserve(_ capacity: Int) {
        numbers.reserveCapacity(capacity)
        logs.reserveCapacity(capacity)
        sizesBefore.reserveCapacity(capacity)
    }

    /// Adds a change; one that is reported late is inserted at its place.
    mutating func insert(_ number: UInt64, _ log: UInt32, sizeBefore: UInt32) {
        guard let last = numbers.last, last > number else {
            numbers.append(number)
            logs.append(log)
            sizesBefore.append(sizeBefore)
            return
        }
        let place = firstPlace(after: number)
        numbers.insert(number, at: place)
        logs.insert(log, at: place)
        sizesBefore.insert(sizeBefore, at: place)
    }

    /// Up to this number, only the last change of each log is known.
    mutating func isWhole(after number: UInt64) {
        wholeAfter = max(wholeAfter, number)
    }

    /// Drops the pairs that `isCurrent` rejects.
    mutating func compact(_ isCurrent: (UInt64, UInt32) -> Bool) {
        var kept = 0
        for place in logs.indices where isCurrent(numbers[place], logs[place]) {
            numbers[kept] = numbers[place]
            logs[kept] = logs[place]
            sizesBefore[kept] = sizesBefore[place]
            kept += 1
        }
        isWhole(after: numbers.last ?? 0)
        numbers.removeSubrange(kept...)
        logs.removeSubrange(kept...)
        sizesBefore.removeSubrange(kept...)
    }

    /// The index of the first change above this number.
    func firstPlace(after number: UInt64) -> Int { numbers.partitioningIndex { $0 > number } }
}
