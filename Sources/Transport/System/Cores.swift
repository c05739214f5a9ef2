internal import CSched

/// Which processor cores a thread runs on (`sched_setaffinity`).
enum Cores {
    /// A bit for each core: as many as Linux can be built for.
    private static let setBytes = 1_024

    /// Restricts the calling thread to each `count`th of the cores that it may use, from the `index`th on; to no fewer
    /// than one, and not at all where the system does not tell.
    static func take(_ index: Int, of count: Int) {
        #if os(Linux)
            let allowed = Self.allowed
            guard count > 1, allowed.count > 1 else { return }
            var set = [UInt8](repeating: 0, count: setBytes)
            for core in part(index, of: count, among: allowed) { set[core / 8] |= 1 << UInt8(core % 8) }
            // A refusal costs time alone.
            _ = scurry_setaffinity(0, set.count, set)
        #endif
    }

    /// Every `count`th core, from the `index`th on; with fewer cores than that, one that several threads share.
    static func part(_ index: Int, of count: Int, among cores: [Int]) -> [Int] {
        guard !cores.isEmpty else { return [] }
        let mine = cores.indices.filter { $0 % count == index }.map { cores[$0] }
        return mine.isEmpty ? [cores[index % cores.count]] : mine
    }

    /// The cores that the calling thread may use, ascending; none if the system does not tell.
    static var allowed: [Int] {
        #if os(Linux)
            var set = [UInt8](repeating: 0, count: setBytes)
            guard scurry_getaffinity(0, set.count, &set) >= 0 else { return [] }
            // The bits of machine words, which are little-endian wherever Swift runs.
            return (0..<set.count * 8).filter { set[$0 / 8] & 1 << UInt8($0 % 8) != 0 }
        #else
            return []
        #endif
    }
}
