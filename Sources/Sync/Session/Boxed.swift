/// A value in a heap allocation of its own, copied on write, and read and modified where it is.
///
/// For the large parts of structs that are read many times in each event: a copy takes one reference instead of dozens,
/// and a read none.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Never modified while there are two references to it, so any thread may read it.
    private final class Box: @unchecked Sendable {
        let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(_ value: Value) {
            place.initialize(to: value)
        }

        deinit {
            place.deinitialize(count: 1)
            place.deallocate()
        }
    }

    private var box: Box

    init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    var wrappedValue: Value {
        // In place: a getter and a setter would copy the value, and so would reading it from a property of the box.
        _read { yield box.place.pointee }
        _modify {
            yield &ownAddress.pointee
        }
    }

    /// Where the value is, until the box is changed or gone.
    var address: UnsafePointer<Value> { UnsafePointer(box.place) }

    /// Where the value is, to modify it there: copied first if another box has it too.
    var ownAddress: UnsafeMutablePointer<Value> {
        mutating get {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.place.pointee) }
            return box.place
        }
    }
}
