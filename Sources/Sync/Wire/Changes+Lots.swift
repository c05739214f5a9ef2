extension Changes {
    /// Cuts announcements into messages of the usual size.
    static func lots(_ held: [HeldLog], atMost count: Int = .max) -> [[HeldLog]] {
        var lots: [[HeldLog]] = []
        var bytes = Limits.wordMessageBytes
        for log in held {
            if bytes + log.wireBytes > Limits.wordMessageBytes || lots.last?.count ?? 0 >= count {
                lots.append([])
                bytes = 0
            }
            lots[lots.count - 1].append(log)
            bytes += log.wireBytes
        }
        return lots
    }
}
