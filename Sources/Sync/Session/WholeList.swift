/// Every log in the order in which strangers are told of them, made once for many: to sort a million takes a second, and a
/// key and a Hello cost nothing.
struct WholeList {
    let logs: [UInt32]
    /// Of the frontier, when it was made: whoever is told the list is told what changed since then.
    let number: UInt64

    /// True as long as few logs changed since: they are told behind the list. What one message holds is put in order anew with
    /// every change, so that a newcomer to a small network is told first what is newest.
    func isFresh(at number: UInt64) -> Bool {
        guard logs.count > Limits.changesPageLogs else { return number == self.number }
        return number - min(number, self.number) <= UInt64(max(Limits.changesPageLogs, logs.count / 16))
    }
}
