/// A message's fields by number, for the form validator (`protocol/payload.proto`).
package struct PayloadSchema: Sendable {
    /// Type of a field.
    package enum Kind: Sendable {
        case bytes
        case string
        case bool
        /// An enum with values from 0 to `last`, without holes.
        case choice(last: UInt64)
        indirect case message(PayloadSchema)
    }

    package struct Field: Sendable {
        package let kind: Kind
        package let isRepeated: Bool

        package static func one(_ kind: Kind) -> Field { Field(kind: kind, isRepeated: false) }
        package static func many(_ kind: Kind) -> Field { Field(kind: kind, isRepeated: true) }
    }

    /// Fields in order of their numbers, from 1.
    private let fields: [Field]

    /// A schema with fields numbered 1, 2, 3, ….
    package init(_ fields: Field...) {
        self.fields = fields
    }

    /// The field with this number; nil if it is unknown.
    package func field(_ number: UInt64) -> Field? {
        guard number >= 1, number <= UInt64(fields.count) else { return nil }
        return fields[Int(number - 1)]
    }
}

extension PayloadSchema {
    static let post = PayloadSchema(
        .one(.bytes),
        .one(.string),
        .one(.string),
        .many(.string),
        .one(.bytes),
        .one(.bytes)
    )

    static let edit = PayloadSchema(.one(.bytes), .one(.bytes), .one(.string), .one(.string))

    static let vote = PayloadSchema(.many(.message(PayloadSchema(.one(.bytes), .one(.choice(last: 2))))))

    static let follow = PayloadSchema(.many(.message(PayloadSchema(.one(.bytes), .one(.choice(last: 1))))))

    static let profile = PayloadSchema(
        .one(.bytes),
        .one(.string),
        .one(.string),
        .one(.string),
        .one(.bytes)
    )

    static let delete = PayloadSchema(.many(.bytes))
}
