/// Why a payload folds to nothing; the entry around it stays valid (`protocol/payload.md`).
package enum PayloadError: Error, Equatable, Sendable {
    /// The bytes are not in the strict form (§2).
    case form(FormError)
    /// The content breaks a rule (§3).
    case rule(PayloadRule)
    /// The decoder refused bytes in the strict form: a bug of this program; never seen.
    case refusedByDecoder
}

/// The broken rule of the form, with the offset in the payload where it shows.
package struct FormError: Error, Equatable, Sendable {
    package let rule: FormRule
    package let offset: Int

    package init(rule: FormRule, offset: Int) {
        self.rule = rule
        self.offset = offset
    }
}

/// Rules of the form, named as in the vectors (`protocol/payload.md` §2).
package enum FormRule: String, Hashable, Sendable, CaseIterable {
    /// A varint runs past the end of its message.
    case varintTruncated
    /// A varint ends in a zero byte that it does not need.
    case varintNotShortest
    /// A varint exceeds 64 bits.
    case varintTooLarge
    /// A field number is 0 or above 2²⁹ − 1.
    case fieldNumber
    /// A wire type is not 0, 1, 2 or 5.
    case wireType
    /// A field number is below the one before it.
    case fieldOrder
    /// A singular field comes twice.
    case fieldRepeated
    /// A known field has another wire type than its own.
    case wireTypeMismatch
    /// A length or a fixed-size value reaches past the end of its message.
    case valueTruncated
    /// A string is not UTF-8.
    case utf8
    /// Messages are nested deeper than 8.
    case depth
    /// An enum's value is not one of its numbers.
    case enumValue
    /// A bool is neither 0 nor 1.
    case boolValue
}

/// Rules of the content, named as in the vectors (`protocol/payload.md` §3).
package enum PayloadRule: String, Hashable, Sendable, CaseIterable {
    /// The kind is reserved or unknown.
    case unknownKind
    /// More than 65,536 bytes.
    case payloadLength
    /// A salt is not 16 bytes.
    case saltLength
    /// An id is not 32 bytes.
    case idLength
    /// A parent without a root, or a root without a parent.
    case replyHalf
    /// More than 8 channels.
    case channelCount
    /// A channel's name is not `[a-z0-9-]{1,32}`.
    case channelName
    /// A channel is named twice.
    case channelRepeated
    /// A title exceeds 1,024 bytes.
    case titleLength
    /// A name is empty or exceeds 64 bytes.
    case nameLength
    /// A full name exceeds 256 bytes.
    case fullNameLength
    /// A text about oneself exceeds 4,096 bytes.
    case bioLength
    /// A picture's id is not 32 bytes.
    case avatarLength
    /// A vote, follow or delete that names nothing.
    case noTarget
}
