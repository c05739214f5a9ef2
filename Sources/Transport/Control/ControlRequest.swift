internal import Entries
package import FoundationEssentials
internal import Storage

/// A command's request to the running node: one line of JSON, with one line as response.
package enum ControlRequest: Hashable, Sendable, Codable {
    /// Sign and store a payload (bytes in base64).
    ///
    /// Not executed unless begun by `before`, milliseconds of the machine's monotonic clock: the command has given up
    /// by then, and may ask again. Nil, as earlier versions send: at any time.
    case append(kind: UInt16, payload: Data, before: UInt64? = nil)
    /// Delete an own post, by its id in base32, with every edit of it.
    case deletePost(id: String, before: UInt64? = nil)
    case status
    /// The peers file changed: reread it, and dial the peers that wait for a retry.
    case peersChanged
    /// The device key was locked or unlocked: reread it.
    case keyChanged
    /// Secrets of the device key, sealed for the node's key: no file may hold them, so the node keeps them until
    /// `keyChanged`.
    case unlock(sealed: Data)
    case sync(milliseconds: UInt64)
    /// Import chunks of a bundle: the body of a Chunks message.
    ///
    /// `file` is a number that the command drew for the bundle: what one may cost is bounded over all its frames. Nil,
    /// as earlier versions send: over this one.
    case importChunks(Data, file: UInt64? = nil)
    /// Import settlements and fork evidence of a bundle: the body of a Changes message.
    case importChanges(Data, file: UInt64? = nil)
    /// Mark the whole own log as published, for an export.
    case releaseOwnLog
    /// Store a settlement of a log or an account: 208 bytes, in base64.
    case settle(Data)
    case stop
}

/// The place of an own entry; ids in base32.
package struct AppendedEntry: Hashable, Sendable, Codable {
    package let id: String
    package let log: String
    package let sequence: UInt64

    /// Whether the ids are letters and digits, which JSON takes as they are.
    fileprivate var isPlain: Bool {
        [id, log].allSatisfy { text in
            text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }
}

/// An `AppendRefusal` as JSON.
package struct Refusal: Hashable, Sendable, Codable {
    private enum Rule: String, Codable {
        case noOwnLog, locked, wrongKey, signingStopped, notCarried, logForked, logSettled, accountEnded,
            payloadTooLong,
            unknownPost, notOwnPost, deletedPost, logFull
    }

    private let rule: Rule
    private let bytes: Int?
    private let post: String?

    init(_ refusal: AppendRefusal) {
        let parts: (Rule, Int?, EntryID?) =
            switch refusal {
            case .noOwnLog: (.noOwnLog, nil, nil)
            case .locked: (.locked, nil, nil)
            case .wrongKey: (.wrongKey, nil, nil)
            case .signingStopped: (.signingStopped, nil, nil)
            case .notCarried: (.notCarried, nil, nil)
            case .logForked: (.logForked, nil, nil)
            case .logSettled: (.logSettled, nil, nil)
            case .accountEnded: (.accountEnded, nil, nil)
            case .payloadTooLong(let bytes): (.payloadTooLong, bytes, nil)
            case .unknownPost(let post): (.unknownPost, nil, post)
            case .notOwnPost(let post): (.notOwnPost, nil, post)
            case .deletedPost(let post): (.deletedPost, nil, post)
            case .logFull: (.logFull, nil, nil)
            }
        rule = parts.0
        bytes = parts.1
        post = parts.2?.description
    }

    /// Nil if a field that the rule needs is missing.
    var refusal: AppendRefusal? {
        let post = post.flatMap { Base32.decode($0) }.flatMap { EntryID($0) }
        return switch rule {
        case .noOwnLog: .noOwnLog
        case .locked: .locked
        case .wrongKey: .wrongKey
        case .signingStopped: .signingStopped
        case .notCarried: .notCarried
        case .logForked: .logForked
        case .logSettled: .logSettled
        case .accountEnded: .accountEnded
        case .payloadTooLong: bytes.map { .payloadTooLong(bytes: $0) }
        case .unknownPost: post.map { .unknownPost($0) }
        case .notOwnPost: post.map { .notOwnPost($0) }
        case .deletedPost: post.map { .deletedPost($0) }
        case .logFull: .logFull
        }
    }
}

extension ControlRequest {
    /// Reads an `append` as `ControlLine` writes it, many times as fast as a decoder that knows no keys before; nil for
    /// any other line, whatever it means.
    init?(plain line: [UInt8]) {
        var rest = line[...]
        func skip(_ text: StaticString) -> Bool {
            let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            guard rest.starts(with: bytes) else { return false }
            rest = rest.dropFirst(bytes.count)
            return true
        }
        func number() -> UInt64? {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            // A number of JSON has no zeros before it.
            guard digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
            rest = rest.dropFirst(digits.count)
            return UInt64(String(decoding: digits, as: UTF8.self))
        }
        guard skip("{\"append\":{") else { return nil }
        var before: UInt64?
        if skip("\"before\":") {
            before = number()
            guard before != nil, skip(",") else { return nil }
        }
        guard skip("\"kind\":"), let kind = number().flatMap(UInt16.init(exactly:)), skip(",\"payload\":\""),
            rest.count >= 3, rest.suffix(3).elementsEqual("\"}}".utf8),
            let payload = Data(base64Encoded: Data(rest.dropLast(3)))
        else { return nil }
        self = .append(kind: kind, payload: payload, before: before)
    }
}

/// Encodes and decodes one line of JSON.
enum ControlLine {
    /// A response; that to an `append`, of which there is one for each post, without an encoder's detours.
    static func encode(_ response: ControlResponse) -> [UInt8] {
        guard case .appended(let entry) = response, entry.isPlain else { return encode(response as any Encodable) }
        let text =
            "{\"appended\":{\"_0\":{\"id\":\"\(entry.id)\",\"log\":\"\(entry.log)\",\"sequence\":\(entry.sequence)}}}\n"
        return Array(text.utf8)
    }

    static func encode(_ message: any Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only NaN and infinite numbers cannot be encoded, and no message has such.
        guard let data = try? encoder.encode(message) else { preconditionFailure("every message has a JSON form") }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Nil if the line is not a message of this type.
    static func decode<Message: Decodable>(_ line: some Collection<UInt8>) -> Message? {
        // Foundation traps if the last byte of its input exceeds its own limit of 512 levels.
        guard !isNested(line, deeperThan: TransportLimits.controlNesting) else { return nil }
        return try? JSONDecoder().decode(Message.self, from: Data(line))
    }

    /// Whether more than `limit` brackets outside of strings are open at once (RFC 8259 §9 allows a limit).
    private static func isNested(_ line: some Collection<UInt8>, deeperThan limit: Int) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in line {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > limit { return true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return false
    }
}
