/// A value in a heap allocation of its own, copied on write.
///
/// For the large parts of structs that are read many times in each event: a read copies one reference instead of
/// dozens.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Never modified while there are two references to it, so any thread may read it.
    private final class Box: @unchecked Sendable {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    var wrappedValue: Value {
        // Accessors that work in place: a getter and a setter would copy the value.
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
