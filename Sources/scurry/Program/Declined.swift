/// A person was asked and said no: one quiet line, and exit code 7, without a hint that forces what was declined.
struct Declined: Error, Equatable, Sendable {
    /// What did not happen: one line, no capital, no full stop.
    let outcome: SafeText
}
