extension RandomAccessCollection {
    /// Binary search: the first index whose element is in the second part, or `endIndex` if none is.
    ///
    /// All elements of the second part have to come after all others. Among sorted ones, `{ $0 >= bound }` gives the
    /// lower bound and `{ $0 > bound }` the upper one. At most log₂(count) + 1 elements are looked at.
    @inlinable @inline(__always)
    package func partitioningIndex(where isInSecondPart: (Element) throws -> Bool) rethrows -> Index {
        // Inlined also for the predicate's sake: a call at each step would take longer than the comparison.
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if try isInSecondPart(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
