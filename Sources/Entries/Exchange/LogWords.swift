/// Words on a log, or on the end of an account, as in a bundle (`protocol/bundle.md` §2).
package struct LogWords: Hashable, Sendable {
    /// For an ended account `LogID(endOf:in:)`.
    package let log: LogID
    /// Size and tree root of the entries that count at the exporting node; 0 and 32 zero bytes for an ended account.
    package let known: KnownRoot
    package let words: Words

    package init(log: LogID, known: KnownRoot, words: Words) {
        self.log = log
        self.known = known
        self.words = words
    }
}
