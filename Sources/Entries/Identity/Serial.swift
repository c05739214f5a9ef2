/// Serials of certificates and settlements, by which the newer one is told.
package enum Serial {
    /// The serial of a new one: max(highest known + 1, now) (`protocol/identity.md` §3); the greatest there is, where
    /// none is higher.
    ///
    /// `highest` is the highest serial that the identity is known to have used, nil if none is; `now` is Unix
    /// milliseconds.
    package static func next(after highest: UInt64?, now: UInt64) -> UInt64 {
        guard let highest else { return now }
        return max(highest == .max ? .max : highest + 1, now)
    }
}
