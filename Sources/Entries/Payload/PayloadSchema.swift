/// What the form checker knows of a message: its fields by number (`protocol/payload.proto`).
package struct PayloadSchema: Sendable {
    /// What a field's bytes must be.
    package enum Kind: Sendable {
        case bytes
        case string
        case bool
        /// Valid from 0 to `last`, without a hole.
        case choice(last: UInt64)
        indirect case message(PayloadSchema)
    }

    package struct Field: Sendable {
        package let kind: Kind
        package let isRepeated: Bool

        package static func one(_ kind: Kind) -> Field { Field(kind: kind, isRepeated: false) }
        package static func many(_ kind: Kind) -> Field { Field(kind: kind, isRepeated: true) }
    }

    /// The field with number 1 first.
    private let fields: [Field]

    /// The fields numbered 1, 2, 3 and so on.
    package init(_ fields: Field...) {
        self.fields = fields
    }

    /// The field with this number; nil if the schema does not know it.
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
