import Entries
import Testing

/// Each rule of the form beside bytes that just keep it, with the offset that the error gives.
struct PayloadFormTests {
    /// 1: bytes, 2: string, 3: repeated string, 4: enum up to 2, 5: bool, 6: a message of (bytes, enum up to 1).
    private static let schema = PayloadSchema(
        .one(.bytes),
        .one(.string),
        .many(.string),
        .one(.choice(last: 2)),
        .one(.bool),
        .many(.message(PayloadSchema(.one(.bytes), .one(.choice(last: 1)))))
    )

    private static func error(_ bytes: [UInt8], schema: PayloadSchema = schema) -> FormError? {
        do throws(FormError) {
            try PayloadForm.check(bytes, as: schema)
            return nil
        } catch {
            return error
        }
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        let rule: FormRule
        let valid: [UInt8]
        let broken: [UInt8]
        let offset: Int

        var testDescription: String { "\(rule) \(broken)" }
    }

    private static let ones = [UInt8](repeating: 0xff, count: 9)

    static let pairs = [
        Pair(rule: .varintTruncated, valid: [0x20, 0x01], broken: [0x20], offset: 1),
        Pair(rule: .varintTruncated, valid: [0x78, 0x80, 0x01], broken: [0x78, 0x80], offset: 1),
        Pair(rule: .varintTruncated, valid: [0x32, 2, 0x10, 1, 0x78, 0], broken: [0x32, 1, 0x10, 1], offset: 3),
        Pair(rule: .varintNotShortest, valid: [0x20, 0x00], broken: [0x20, 0x80, 0x00], offset: 1),
        Pair(rule: .varintNotShortest, valid: [0x0a, 0x00], broken: [0x8a, 0x00, 0x00], offset: 0),
        Pair(rule: .varintNotShortest, valid: [0x0a, 0x00], broken: [0x0a, 0x80, 0x00], offset: 1),
        Pair(rule: .varintTooLarge, valid: [0x78] + ones + [0x01], broken: [0x78] + ones + [0x02], offset: 1),
        Pair(rule: .varintTooLarge, valid: [0x78] + ones + [0x01], broken: [0x78] + ones + [0x81, 0], offset: 1),
        Pair(rule: .fieldNumber, valid: [0x08 | 2, 0], broken: [0x02, 0], offset: 0),
        Pair(
            rule: .fieldNumber,
            valid: [0xf8, 0xff, 0xff, 0xff, 0x0f, 0],
            broken: [0x80, 0x80, 0x80, 0x80, 0x10, 0],
            offset: 0
        ),
        Pair(rule: .fieldOrder, valid: [0x0a, 0, 0x12, 0], broken: [0x12, 0, 0x0a, 0], offset: 2),
        Pair(
            rule: .fieldOrder,
            valid: [0x1a, 0, 0x1a, 0, 0x20, 0],
            broken: [0x1a, 0, 0x20, 0, 0x1a, 0],
            offset: 4
        ),
        Pair(rule: .fieldRepeated, valid: [0x1a, 0, 0x1a, 0], broken: [0x12, 0, 0x12, 0], offset: 2),
        Pair(rule: .fieldRepeated, valid: [0x78, 0, 0x78, 0], broken: [0x20, 0, 0x20, 0], offset: 2),
        Pair(rule: .wireType, valid: [0x78, 0], broken: [0x7b, 0x7c], offset: 0),
        Pair(rule: .wireType, valid: [0x7a, 0], broken: [0x7c], offset: 0),
        Pair(rule: .wireType, valid: [0x7d, 0, 0, 0, 0], broken: [0x7e, 0], offset: 0),
        Pair(rule: .wireType, valid: [0x79, 0, 0, 0, 0, 0, 0, 0, 0], broken: [0x7f, 0], offset: 0),
        Pair(rule: .wireTypeMismatch, valid: [0x12, 0], broken: [0x10, 0], offset: 0),
        Pair(rule: .wireTypeMismatch, valid: [0x20, 0], broken: [0x22, 0], offset: 0),
        Pair(rule: .wireTypeMismatch, valid: [0x28, 0], broken: [0x2d, 0, 0, 0, 0], offset: 0),
        Pair(rule: .wireTypeMismatch, valid: [0x32, 0], broken: [0x31, 0, 0, 0, 0, 0, 0, 0, 0], offset: 0),
        Pair(rule: .valueTruncated, valid: [0x0a, 1, 9], broken: [0x0a, 2, 9], offset: 1),
        Pair(rule: .valueTruncated, valid: [0x0a, 0], broken: [0x0a] + ones + [0x01], offset: 1),
        Pair(rule: .valueTruncated, valid: [0x32, 2, 0x0a, 0], broken: [0x32, 2, 0x0a, 1, 0x78, 0], offset: 3),
        Pair(rule: .valueTruncated, valid: [0x7d, 0, 0, 0, 0], broken: [0x7d, 0, 0, 0], offset: 1),
        Pair(rule: .valueTruncated, valid: [0x7a, 0], broken: [0x7a, 1], offset: 1),
        Pair(rule: .utf8, valid: [0x12, 3, 0x41, 0xc3, 0xa9], broken: [0x12, 3, 0x41, 0xc3, 0x41], offset: 3),
        Pair(rule: .utf8, valid: [0x0a, 1, 0xff], broken: [0x12, 1, 0xff], offset: 2),
        Pair(rule: .enumValue, valid: [0x20, 2], broken: [0x20, 3], offset: 1),
        Pair(rule: .enumValue, valid: [0x32, 2, 0x10, 1], broken: [0x32, 2, 0x10, 2], offset: 3),
        Pair(rule: .boolValue, valid: [0x28, 1], broken: [0x28, 2], offset: 1),
    ]

    @Test(arguments: pairs) func `A near-valid payload breaks one rule and its sibling none`(pair: Pair) {
        #expect(Self.error(pair.valid) == nil)
        #expect(Self.error(pair.broken) == FormError(rule: pair.rule, offset: pair.offset))
    }

    @Test func `Every rule but depth has a pair`() {
        #expect(Set(FormRule.allCases).subtracting(Self.pairs.map(\.rule)) == [.depth])
    }

    /// Field 1 within field 1 and so on, the innermost empty.
    private static func nested(levels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<levels { bytes = [0x0a, UInt8(bytes.count)] + bytes }
        return bytes
    }

    @Test func `Eight messages within each other pass and nine do not`() {
        var schema = PayloadSchema(.one(.bytes))
        for _ in 1..<9 { schema = PayloadSchema(.one(.message(schema))) }
        #expect(Self.error(Self.nested(levels: 7), schema: schema) == nil)
        #expect(Self.error(Self.nested(levels: 8), schema: schema) == FormError(rule: .depth, offset: 16))
    }

    @Test func `Unknown bytes that look like messages are not descended into`() {
        let nested = Self.nested(levels: 40)
        #expect(Self.error([0x7a, UInt8(nested.count)] + nested) == nil)
    }

    @Test func `No beginning of a pair traps`() {
        for pair in Self.pairs {
            // Many a beginning is valid: what comes out is not looked at, only that something does.
            for count in 0..<pair.valid.count { _ = Self.error(Array(pair.valid.prefix(count))) }
            for count in 0..<pair.broken.count { _ = Self.error(Array(pair.broken.prefix(count))) }
            #expect(Self.error(pair.valid) == nil, "\(pair.testDescription)")
            #expect(Self.error(pair.broken) != nil, "\(pair.testDescription)")
        }
    }
}
