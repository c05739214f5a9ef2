package import Storage

/// Why the node did not do what a command asked for.
package struct NodeFailure: Hashable, Sendable {
    /// One line for a person.
    package let reason: String
    /// The error of the node's store, if it is one for which commands have an exit code and a hint of their own; nil:
    /// another failure.
    package let error: StorageError?

    /// A failure of the store.
    init(_ error: StorageError) {
        self.init(error.description)
    }

    /// `kind` is the name of the store's error. Without one, as an earlier version sends it, or with one of a later
    /// version, the words tell the error.
    init(_ reason: String, kind: String? = nil) {
        self.reason = reason
        let named = Self.named.first { $0.kind == kind } ?? Self.named.first { $0.error.description == reason }
        error = named?.error
    }

    /// The name of `error` on the control socket.
    var kind: String? { Self.named.first { $0.error == error }?.kind }

    private static let named: [(kind: String, error: StorageError)] = [
        ("diskFull", .diskFull), ("unwritable", .unwritable), ("readOnly", .readOnly), ("unopenable", .unopenable),
        ("busy", .busy), ("tooManyFiles", .tooManyFiles),
    ]
}
