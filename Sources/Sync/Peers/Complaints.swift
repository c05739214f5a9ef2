/// What hosts that nobody listed did wrong, and when it was told last: whoever can connect, or tell addresses, can
/// repeat it, with another node id each time. Each kind is told apart, so that one host's noise hides nothing else behind its
/// address.
struct Complaints {
    enum Kind: Hashable {
        /// It broke the protocol, or sent something other than a handshake.
        case violation
        /// It cannot be spoken to.
        case version
        /// One of the two sides refuses the other.
        case refusal
    }

    private struct Subject: Hashable {
        let host: HostNetwork
        let kind: Kind
    }

    /// When each may be told again.
    private var ends: [Subject: UInt64] = [:]

    /// Whether it is to be told now; then it is not, of the same host, for `Limits.complaintMilliseconds`.
    mutating func isDue(_ kind: Kind, of host: HostNetwork, now: UInt64) -> Bool {
        let subject = Subject(host: host, kind: kind)
        if let end = ends[subject], end > now { return false }
        if ends.count >= Limits.penaltiesCount, ends[subject] == nil, let soonest = ends.values.min() {
            ends = ends.filter { $0.value > max(soonest, now) }
        }
        ends[subject] = now + Limits.complaintMilliseconds
        return true
    }
}
