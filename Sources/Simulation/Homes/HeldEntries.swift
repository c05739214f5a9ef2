import Entries

extension HeldStore {
    /// Every entry of a log that counts here, in order, without those of its gap.
    func entries(of log: LogID, without gap: Range<UInt64>? = nil) throws -> [Entry] {
        var entries: [Entry] = []
        var next: UInt64 = 0
        while true {
            if let gap, gap.contains(next) { next = gap.upperBound }
            let want = RangeWant(log: log, from: next, certificate: .known)
            guard case .chunk(let chunk)? = try ranges([want], byteLimit: 1 << 20).first else { return entries }
            entries += try EntryCoding.decode(chunk.entries[...], count: Int(chunk.count), log: log, start: chunk.start)
            next = chunk.start + chunk.count
        }
    }
}
