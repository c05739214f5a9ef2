import Entries

extension HeldStore {
    /// Every entry of a log that counts here, in order.
    func entries(of log: LogID) throws -> [Entry] {
        var entries: [Entry] = []
        while true {
            let want = RangeWant(log: log, from: UInt64(entries.count), certificate: .known)
            guard case .chunk(let chunk)? = try ranges([want], byteLimit: 1 << 20).first else { return entries }
            entries += try EntryCoding.decode(chunk.entries[...], count: Int(chunk.count), log: log, start: chunk.start)
        }
    }
}
