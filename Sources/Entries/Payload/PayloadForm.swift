/// Validator of a payload's strict form, run before the decoder (`protocol/payload.md` §2).
///
/// Protobuf decoders disagree on repeated singular fields, long varints, groups and invalid UTF-8. Bytes that pass are
/// read alike by all of them, so that every replica folds the same.
package enum PayloadForm {
    /// Validates a payload in one pass, without copying; nesting is at most 8, which bounds the stack.
    ///
    /// - Throws: the first broken rule, with the offset where it shows.
    package static func check(_ bytes: [UInt8], as schema: PayloadSchema) throws(FormError) {
        var reader = FormReader(bytes)
        try reader.message(schema, end: bytes.count, depth: 1)
    }
}

/// Reads the bytes front to back; `end` is the end of the innermost message, never beyond the bytes.
private struct FormReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func message(_ schema: PayloadSchema, end: Int, depth: Int) throws(FormError) {
        guard depth <= PayloadLimits.nestingDepth else { throw FormError(rule: .depth, offset: offset) }
        var previous: UInt64 = 0
        while offset < end {
            let start = offset
            let tag = try varint(end: end)
            let number = tag >> 3
            let isNumber = number >= 1 && number <= PayloadLimits.fieldNumber
            guard isNumber else { throw FormError(rule: .fieldNumber, offset: start) }
            guard number >= previous else { throw FormError(rule: .fieldOrder, offset: start) }
            // An unknown field may be repeated: only its schema could tell.
            let field = schema.field(number)
            let mayFollow = number != previous || field?.isRepeated != false
            guard mayFollow else { throw FormError(rule: .fieldRepeated, offset: start) }
            previous = number
            let wireType = try wireType(of: tag, at: start)
            if let field {
                guard wireType == field.kind.wireType else { throw FormError(rule: .wireTypeMismatch, offset: start) }
                try value(field.kind, end: end, depth: depth)
            } else {
                try skip(wireType, end: end)
            }
        }
    }

    private func wireType(of tag: UInt64, at start: Int) throws(FormError) -> WireType {
        // 3 and 4 are groups; 6 and 7 are not defined.
        guard let wireType = WireType(rawValue: tag & 7) else { throw FormError(rule: .wireType, offset: start) }
        return wireType
    }

    private mutating func value(_ kind: PayloadSchema.Kind, end: Int, depth: Int) throws(FormError) {
        switch kind {
        case .bytes:
            offset = try length(end: end)
        case .string:
            let stop = try length(end: end)
            let broken = UTF8Form.firstBreak(in: bytes, from: offset, to: stop)
            guard broken == nil else { throw FormError(rule: .utf8, offset: broken ?? offset) }
            offset = stop
        case .message(let schema):
            let stop = try length(end: end)
            try message(schema, end: stop, depth: depth + 1)
        case .choice(let last):
            let start = offset
            let value = try varint(end: end)
            guard value <= last else { throw FormError(rule: .enumValue, offset: start) }
        case .bool:
            let start = offset
            let value = try varint(end: end)
            guard value <= 1 else { throw FormError(rule: .boolValue, offset: start) }
        }
    }

    private mutating func skip(_ wireType: WireType, end: Int) throws(FormError) {
        switch wireType {
        case .varint: _ = try varint(end: end)
        case .fixed64: try fixed(8, end: end)
        case .lengthDelimited: offset = try length(end: end)
        case .fixed32: try fixed(4, end: end)
        }
    }

    private mutating func fixed(_ count: Int, end: Int) throws(FormError) {
        guard count <= end - offset else { throw FormError(rule: .valueTruncated, offset: offset) }
        offset += count
    }

    /// Reads a length; returns the end of the value, which is at most `end`.
    private mutating func length(end: Int) throws(FormError) -> Int {
        let start = offset
        let length = try varint(end: end)
        // Compared before conversion to Int: a length may have 64 bits.
        guard length <= UInt64(end - offset) else { throw FormError(rule: .valueTruncated, offset: start) }
        return offset + Int(length)
    }

    /// Reads a varint of at most ten bytes; the error's offset is where the varint starts.
    private mutating func varint(end: Int) throws(FormError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end {
            let byte = bytes[offset]
            // Nine bytes give 63 bits, so the tenth has one bit and is the last.
            let fits = shift < 63 || (shift == 63 && byte <= 1)
            guard fits else { throw FormError(rule: .varintTooLarge, offset: start) }
            offset += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 {
                let isShortest = byte != 0 || shift == 0
                guard isShortest else { throw FormError(rule: .varintNotShortest, offset: start) }
                return value
            }
            shift += 7
        }
        throw FormError(rule: .varintTruncated, offset: start)
    }
}

/// The wire types of protobuf, without groups.
private enum WireType: UInt64 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case fixed32 = 5
}

extension PayloadSchema.Kind {
    fileprivate var wireType: WireType {
        switch self {
        case .bytes, .string, .message: .lengthDelimited
        case .choice, .bool: .varint
        }
    }
}
