/// A value for each session, with a record of the sessions whose value was modified.
///
/// A value is modified in place, and the session recorded, so that a pass over the changed sessions misses nothing.
/// Reads neither copy nor record.
struct SessionTable<Value: Sendable>: Sendable {
    private var places: [SessionID: Int] = [:]
    private var slots: [Boxed<Value?>] = []
    private var free: [Int] = []
    /// Sessions changed or added since `forgetChanges`; some of them may be gone.
    private var changed: Set<SessionID> = []

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }
    /// Does not read the value: comparing it with nil would copy it.
    func contains(_ session: SessionID) -> Bool { places[session] != nil }
    /// In no particular order.
    var values: some Collection<Value> { slots.lazy.compactMap(\.wrappedValue) }

    subscript(session: SessionID) -> Value? {
        _read {
            if let place = places[session] {
                yield slots[place].wrappedValue
            } else {
                yield nil
            }
        }
        _modify {
            if let place = places[session] {
                changed.insert(session)
                yield &slots[place].wrappedValue
                if slots[place].wrappedValue == nil { release(place, of: session) }
            } else {
                var value: Value?
                yield &value
                if let value { insert(value, for: session) }
            }
        }
    }

    @discardableResult
    mutating func removeValue(forKey session: SessionID) -> Value? {
        guard let place = places[session] else { return nil }
        let value = slots[place].wrappedValue
        slots[place] = Boxed(wrappedValue: nil)
        release(place, of: session)
        return value
    }

    func isChanged(_ session: SessionID) -> Bool { changed.contains(session) }

    mutating func forgetChanges() {
        if !changed.isEmpty { changed.removeAll(keepingCapacity: true) }
    }

    private mutating func insert(_ value: Value, for session: SessionID) {
        changed.insert(session)
        if let place = free.popLast() {
            slots[place] = Boxed(wrappedValue: value)
            places[session] = place
        } else {
            places[session] = slots.count
            slots.append(Boxed(wrappedValue: value))
        }
    }

    private mutating func release(_ place: Int, of session: SessionID) {
        places[session] = nil
        free.append(place)
    }
}
