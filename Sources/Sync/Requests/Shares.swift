/// A budget shared by all sessions, so that none can take what the others need.
///
/// Each may use half of what the others leave, and a minimum in any case: a new session finds room, however many came
/// before.
struct Shares {
    private let capacity: Int
    /// What a session may use, whatever the others use.
    private let least: Int
    private(set) var total = 0
    private var taken: [SessionID: Int] = [:]

    init(capacity: Int, least: Int) {
        self.capacity = capacity
        self.least = least
    }

    func hasRoom(for amount: Int, _ session: SessionID) -> Bool {
        let own = taken[session] ?? 0
        return own + amount <= max(least, (capacity - (total - own)) / 2)
    }

    /// Takes an amount, whether there is room or not.
    mutating func take(_ amount: Int, _ session: SessionID) {
        total += amount
        taken[session, default: 0] += amount
    }

    mutating func give(back amount: Int, _ session: SessionID) {
        total -= amount
        let rest = (taken[session] ?? 0) - amount
        taken[session] = rest > 0 ? rest : nil
    }
}
