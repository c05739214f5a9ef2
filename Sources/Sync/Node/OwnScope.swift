import Entries

/// The identities whose logs this node carries, and the change to others (`protocol/sync.md` §3).
struct OwnScope {
    private(set) var scope: Scope
    /// Part of the frontier within the scope; nil: all of it.
    private(set) var part: PartID?
    /// The next scope, once `opensAt` allows another change.
    private var wanted: Scope?
    /// Monotonic milliseconds.
    private var opensAt: UInt64 = 0
    /// Logs that turned out to be of identities outside the scope; for a while they are not asked for.
    var outside = Forgotten()

    init(_ scope: Scope, part: PartID?) {
        self.scope = scope
        self.part = part
    }

    /// When the scope is to change, in monotonic milliseconds; nil: no other is wanted.
    var changeDue: UInt64? { wanted == nil ? nil : opensAt }

    /// Wants a scope; the present one: no change.
    mutating func want(_ next: Scope) {
        wanted = next == scope ? nil : next
    }

    /// Takes the scope that is wanted, for `change`, if a change is allowed by now; begins the wait before the next.
    mutating func beginChange(now: UInt64) -> Scope? {
        guard let next = wanted, now >= opensAt else { return nil }
        wanted = nil
        opensAt = now + Limits.scopeChangeMilliseconds
        return next
    }

    /// Takes on a scope, with its part of the frontier; what was outside may be within it.
    mutating func change(to next: Scope, part: PartID?) {
        scope = next
        self.part = part
        outside = Forgotten()
    }
}
