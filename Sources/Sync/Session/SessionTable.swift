import Entries

/// A value for each session, with a record of the sessions whose value was modified.
///
/// A value is modified in place, and the session recorded, so that a pass over the changed sessions misses nothing.
/// Reads neither copy nor record.
struct SessionTable<Value: Sendable>: Sendable {
    /// Ascending. A session is looked up some hundred times in each event: among so few, searching takes less than a
    /// hash.
    private var ids: [SessionID] = []
    /// Of the session at the same place.
    private var slots: [Slot] = []
    /// What is read of a session without a value.
    private let none = Boxed<Value?>(wrappedValue: nil)
    /// Sessions changed or added since `forgetChanges`; some of them may be gone.
    private var changed: [SessionID] = []

    private struct Slot {
        var value: Boxed<Value?>
        /// Whether the session is in `changed`.
        var isChanged: Bool
    }

    var count: Int { ids.count }
    var isEmpty: Bool { ids.isEmpty }
    func contains(_ session: SessionID) -> Bool { place(of: session) != nil }
    /// In no particular order.
    var values: some Collection<Value> { slots.lazy.compactMap(\.value.wrappedValue) }

    subscript(session: SessionID) -> Value? {
        // From where it is: reading it through its slot would copy it. The caller's access to the table keeps the slot.
        _read {
            let address = place(of: session).map { slots[$0].value.address } ?? none.address
            yield address.pointee
        }
        _modify {
            if let place = place(of: session) {
                note(session, at: place)
                // By its address, and the other case elsewhere: a large value in the frame of an access would have that
                // allocated, which takes longer than the access.
                let address = slots[place].value.ownAddress
                yield &address.pointee
                if case .none = address.pointee { remove(at: place) }
            } else {
                var added = Boxed<Value?>(wrappedValue: nil)
                let address = added.ownAddress
                yield &address.pointee
                insert(added, for: session)
            }
        }
    }

    @discardableResult
    mutating func removeValue(forKey session: SessionID) -> Value? {
        guard let place = place(of: session) else { return nil }
        let value = slots[place].value.wrappedValue
        remove(at: place)
        return value
    }

    func isChanged(_ session: SessionID) -> Bool {
        place(of: session).map { slots[$0].isChanged } ?? changed.contains(session)
    }

    mutating func forgetChanges() {
        guard !changed.isEmpty else { return }
        for session in changed {
            if let place = place(of: session) { slots[place].isChanged = false }
        }
        changed.removeAll(keepingCapacity: true)
    }

    private func place(of session: SessionID) -> Int? {
        let place = firstPlace(notBefore: session)
        return place < ids.count && ids[place] == session ? place : nil
    }

    private func firstPlace(notBefore session: SessionID) -> Int { ids.partitioningIndex { $0 >= session } }

    private mutating func note(_ session: SessionID, at place: Int) {
        guard !slots[place].isChanged else { return }
        slots[place].isChanged = true
        changed.append(session)
    }

    private mutating func insert(_ value: Boxed<Value?>, for session: SessionID) {
        guard case .some = value.address.pointee else { return }
        let place = firstPlace(notBefore: session)
        ids.insert(session, at: place)
        slots.insert(Slot(value: value, isChanged: false), at: place)
        note(session, at: place)
    }

    private mutating func remove(at place: Int) {
        ids.remove(at: place)
        slots.remove(at: place)
    }
}
