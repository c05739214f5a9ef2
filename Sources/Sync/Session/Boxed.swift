/// A value with a place of its own in memory, copied only when it is changed while somebody else has it.
///
/// For the large parts of what is looked at many times for each event: looking copies one reference instead of dozens.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Never changed while there are two references to it, so that it may be read from anywhere.
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
        // In place, both: a getter and a setter would copy whatever the value holds.
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
