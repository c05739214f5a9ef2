internal import Entries

/// How much of each stretch of the table `bodies` is dead: so it is known where pages can be freed for little work.
///
/// A stretch is a range of row numbers that together cover all numbers up to the last row counted. What is evicted is
/// noted as it happens, and what comes is counted when it is there; bodies erased for another reason are found when
/// their stretch has its turn to be counted again.
struct BodyMap {
    struct Stretch: Hashable {
        /// The last number: the first is the one after the previous stretch's last.
        fileprivate(set) var last: Int64
        /// What all its rows take (`BodyLayout.spaceBytes`), dead ones too.
        fileprivate(set) var bytes = 0
        fileprivate(set) var deadBytes = 0
        /// Rows of bodies that are needed.
        fileprivate(set) var liveRows = 0

        fileprivate var liveBytes: Int { bytes - deadBytes }
        /// Bytes that clearing it writes, about: each body that is needed is copied, and its row overwritten.
        var workBytes: Int { 2 * liveBytes + deadBytes + liveRows * StorageLimits.budgetRowBytes }
    }

    /// What one transaction may still read and cut.
    struct Portion {
        var rows: Int
        /// What these rows take.
        var bytes: Int
        /// Bytes of dead rows that have pages of their own: each of these pages is overwritten.
        var cutBytes: Int

        static let all = Portion(rows: .max, bytes: .max, cutBytes: .max)

        fileprivate var isLeft: Bool { rows > 0 && bytes > 0 && cutBytes > 0 }
    }

    private(set) var stretches: [Stretch] = []
    /// Bytes of a stretch: the last one grows up to this.
    private var stretchBytes: Int
    /// What stays of a stretch that is cleared, at most.
    private var keptBytes = 0
    /// Whether the last stretch grows no more, whatever its length.
    private var isLastClosed = false
    /// All stretches up to this number were counted again in this round.
    private var recountedTo = Int64.min

    /// A stretch has `stretchBytes`, or as many as clearing it is worth with the file's pages, if those are more.
    init(stretchBytes: Int) {
        self.stretchBytes = stretchBytes
    }

    /// Bytes of dead rows.
    var deadBytes: Int { stretches.reduce(0) { $0 + $1.deadBytes } }

    /// Counts the rows after those counted, a portion of them.
    ///
    /// - Returns: whether all are counted.
    mutating func learn(_ rows: BodyRows, _ portion: inout Portion) throws -> Bool {
        keptBytes = BodyMoving.keptBytes(rows.layout)
        stretchBytes = max(stretchBytes, 3 * keptBytes)
        var (left, isAll) = (portion, true)
        defer { portion = left }
        var long: [BodyRow] = []
        try rows.after(stretches.last?.last ?? .min) { row in
            guard left.isLeft else {
                isAll = false
                return .enough
            }
            left.rows -= 1
            left.bytes -= rows.layout.spaceBytes(of: row)
            append(row, rows.layout)
            if rows.layout.isTooLong(row) {
                left.cutBytes -= row.bytes
                long.append(row)
            }
            return .more
        }
        for row in long { try rows.cut(row) }
        return isAll
    }

    private mutating func append(_ row: BodyRow, _ layout: BodyLayout) {
        if isLastClosed || (stretches.last.map(isFull) ?? true) {
            stretches.append(Stretch(last: row.number))
            isLastClosed = false
        }
        let index = stretches.count - 1
        stretches[index].last = row.number
        stretches[index].bytes += layout.spaceBytes(of: row)
        if row.isDead {
            stretches[index].deadBytes += layout.deadBytes(of: row)
        } else {
            stretches[index].liveRows += 1
        }
    }

    private func isFull(_ stretch: Stretch) -> Bool {
        stretch.bytes >= stretchBytes
            || stretch.liveRows >= StorageLimits.budgetStretchRows && stretch.bytes >= 3 * keptBytes
    }

    /// Counts the next `count` stretches again, until the portion is used up: the rows of erased bodies are found, and
    /// cut.
    ///
    /// - Returns: whether this ended a round through all stretches.
    mutating func recount(_ rows: BodyRows, stretches count: Int, _ portion: inout Portion) throws -> Bool {
        for _ in 0..<min(count, stretches.count) where portion.isLeft {
            let next = stretches.partitioningIndex { $0.last > recountedTo }
            let index = next < stretches.count ? next : 0
            let found = try rows.all(in: numbers(of: index))
            stretches[index].bytes = found.reduce(0) { $0 + rows.layout.spaceBytes(of: $1) }
            stretches[index].deadBytes = found.reduce(0) { $1.isDead ? $0 + rows.layout.deadBytes(of: $1) : $0 }
            stretches[index].liveRows = found.count { !$0.isDead }
            portion.rows -= found.count
            portion.bytes -= stretches[index].bytes
            for row in found where rows.layout.isTooLong(row) {
                portion.cutBytes -= row.bytes
                try rows.cut(row)
            }
            recountedTo = stretches[index].last
            if index == stretches.count - 1 {
                recountedTo = .min
                return true
            }
        }
        return stretches.isEmpty
    }

    /// Notes that bodies that were counted are dead, and cuts their rows.
    mutating func note(dead numbers: [Int64], _ rows: BodyRows) throws {
        for number in numbers {
            guard let index = place(of: number), let row = try rows.all(in: number...number).first, row.isDead
            else { continue }
            stretches[index].bytes -= row.bytes - rows.layout.keptBytes(of: row.bytes)
            stretches[index].deadBytes += rows.layout.deadBytes(of: row)
            stretches[index].liveRows -= 1
            try rows.cut(row)
        }
        mergeNeighbours()
    }

    /// What clearing may cost.
    struct Price {
        /// Bytes moved for each byte that is freed, at most.
        let cost: Int
        let measure: Measure

        enum Measure {
            /// Each stretch has to be worth it by itself.
            case each
            /// Neighbours together, of all of which as much stays as of one: the first may free nothing by itself, and
            /// what stays of it counts with the next one.
            case together
        }
    }

    /// Neighbours that are worth clearing.
    private struct Run {
        let first: Int
        var bytes = 0
        var deadBytes = 0
        /// The part that is needed; the bytes of two runs multiplied may be more than an `Int` holds.
        var liveShare: Double { Double(bytes - deadBytes) / Double(max(1, bytes)) }
    }

    private func ripeRuns(_ price: Price) -> [Run] {
        let stays =
            switch price.measure {
            case .each: keptBytes
            case .together: 0
            }
        var runs: [Run] = []
        var run: Run?
        func end() {
            if let run, run.deadBytes - keptBytes >= max(1, run.bytes / price.cost) { runs.append(run) }
            run = nil
        }
        for (place, stretch) in stretches.enumerated() {
            guard stretch.deadBytes - stays >= max(1, stretch.bytes / price.cost) else {
                end()
                continue
            }
            var longer = run ?? Run(first: place)
            longer.bytes += stretch.bytes
            longer.deadBytes += stretch.deadBytes
            run = longer
        }
        end()
        return runs
    }

    /// Bytes that clearing all that is worth it frees, at least.
    func ripeBytes(_ price: Price) -> Int {
        ripeRuns(price).reduce(0) { $0 + $1.deadBytes - keptBytes }
    }

    /// The place among `stretches` to clear next: where a run begins of which least is needed, in proportion; nil: none
    /// is worth the price.
    func ripest(_ price: Price) -> Int? {
        ripeRuns(price).min { $0.liveShare < $1.liveShare }?.first
    }

    /// Frees the pages of a stretch; where more than `most` bodies of it are needed, moves that many, and no more: what
    /// one transaction writes is bounded, and the stretch is worth more the next time.
    mutating func clear(_ index: Int, _ rows: BodyRows, moving most: Int) throws -> BodyMoving.Cleared {
        guard stretches[index].liveRows <= most else {
            // What is moved of the last one, which grows, would be in it again.
            if index == stretches.count - 1 { isLastClosed = true }
            return try move(most, of: index, rows)
        }
        let numbers = self.numbers(of: index)
        let cleared = try BodyMoving(rows).clear(numbers)
        for zeros in cleared.deleted where !numbers.contains(zeros.number) {
            guard let beside = place(of: zeros.number) else { continue }
            // Rows that were erased since they were counted are not among its dead ones.
            stretches[beside].bytes = max(0, stretches[beside].bytes - zeros.bytes)
            stretches[beside].deadBytes = max(0, stretches[beside].deadBytes - zeros.bytes)
        }
        stretches[index].bytes = cleared.leftBytes
        stretches[index].deadBytes = cleared.leftBytes
        stretches[index].liveRows = 0
        // Alone its margins would never be worth clearing. The last stretch grows again.
        if index + 1 < stretches.count { mergeWithNext(index) }
        mergeNeighbours()
        return cleared
    }

    private mutating func move(_ count: Int, of index: Int, _ rows: BodyRows) throws -> BodyMoving.Cleared {
        var cleared = BodyMoving.Cleared()
        let moved = try BodyMoving(rows).move(count, of: numbers(of: index))
        for row in moved {
            cleared.movedBytes += row.bytes
            stretches[index].bytes -= rows.layout.spaceBytes(of: row) - rows.layout.deadBytes(of: row)
            stretches[index].deadBytes += rows.layout.deadBytes(of: row)
            stretches[index].liveRows -= 1
        }
        // Some may have been erased since they were counted.
        if moved.count < count { stretches[index].liveRows = 0 }
        return cleared
    }

    private func numbers(of index: Int) -> ClosedRange<Int64> {
        let first = index > 0 ? stretches[index - 1].last + 1 : .min
        return first...stretches[index].last
    }

    /// The place of the stretch with this number, if it was counted.
    private func place(of number: Int64) -> Int? {
        let place = stretches.partitioningIndex { $0.last >= number }
        return place < stretches.count ? place : nil
    }

    private mutating func mergeWithNext(_ index: Int) {
        stretches[index + 1].bytes += stretches[index].bytes
        stretches[index + 1].deadBytes += stretches[index].deadBytes
        stretches[index + 1].liveRows += stretches[index].liveRows
        stretches.remove(at: index)
    }

    /// Joins neighbours that are no longer than one stretch: long bodies leave little behind where they were evicted.
    private mutating func mergeNeighbours() {
        var merged: [Stretch] = []
        merged.reserveCapacity(stretches.count)
        for stretch in stretches {
            if let previous = merged.last, previous.bytes + stretch.bytes <= stretchBytes,
                previous.liveRows + stretch.liveRows <= StorageLimits.budgetStretchRows
            {
                merged[merged.count - 1].last = stretch.last
                merged[merged.count - 1].bytes += stretch.bytes
                merged[merged.count - 1].deadBytes += stretch.deadBytes
                merged[merged.count - 1].liveRows += stretch.liveRows
            } else {
                merged.append(stretch)
            }
        }
        stretches = merged
    }
}
