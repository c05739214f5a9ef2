/// The size of each log that a peer is known to hold, since it said so or was sent it: 4 bytes a log.
struct PeerSizes {
    private var sizes: [UInt32] = []

    func size(_ log: UInt32) -> UInt64 {
        Int(log) < sizes.count ? UInt64(sizes[Int(log)]) : 0
    }

    mutating func raise(_ log: UInt32, to size: UInt64) {
        let place = Int(log)
        if place >= sizes.count {
            sizes.append(contentsOf: repeatElement(0, count: max(place + 1 - sizes.count, sizes.count / 2)))
        }
        sizes[place] = max(sizes[place], UInt32(clamping: size))
    }
}
