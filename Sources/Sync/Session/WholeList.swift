/// Every log in the order in which a peer without a cursor is told of them, cached for many peers: sorting a million
/// takes a second, and causing it costs a peer one key and one Hello.
struct WholeList {
    let logs: [UInt32]
    /// The frontier's change number when the list was made; later changes are announced behind it.
    let number: UInt64

    /// Whether few enough logs changed since to announce them behind the list. A list that fits in one message is
    /// sorted again after every change, so that a newcomer to a small network is told the newest first.
    func isFresh(at number: UInt64) -> Bool {
        guard logs.count > Limits.changesPageLogs else { return number == self.number }
        return number - min(number, self.number) <= UInt64(max(Limits.changesPageLogs, logs.count / 16))
    }
}
