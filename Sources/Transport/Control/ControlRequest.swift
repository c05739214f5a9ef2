package import Entries
package import FoundationEssentials
internal import Storage

/// What a command asks of the running node: one JSON object a line, answered by one line.
package enum ControlRequest: Hashable, Sendable, Codable {
    /// Sign and store a payload; the bytes are base64 in JSON.
    ///
    /// A node that has not begun by `before`, milliseconds of the machine's monotonic clock, writes nothing: whoever asked has
    /// given up, and may ask again. Nil, as earlier versions ask: whenever it can.
    case append(kind: UInt16, payload: Data, before: UInt64? = nil)
    /// Delete an own post, by its id in base32, and every edit of it.
    case deletePost(id: String, before: UInt64? = nil)
    case status
    /// The peers file was written: read it again, and call whoever waits.
    case peersChanged
    /// The device key was locked or unlocked: look again.
    case keyChanged
    /// The device key's secrets, sealed for this node's key: no file may hold them, so the node does until `keyChanged`.
    case unlock(sealed: Data)
    case sync(milliseconds: UInt64)
    /// Take the chunks of a file: the body of a Chunks message.
    case importChunks(Data)
    /// Take the settlements and fork evidence of a file: the body of a Changes message.
    case importChanges(Data)
    /// Note that all of the own log leaves now: an export is about to be written.
    case releaseOwnLog
    /// Take what a root key signed of a log or an account: 208 bytes, base64 in JSON.
    case settle(Data)
    case stop
}

/// What the node answers.
package enum ControlResponse: Hashable, Sendable, Codable {
    case appended(AppendedEntry)
    /// A rule forbids it; nothing was written.
    case refused(Refusal)
    case status(StatusReport)
    case synced(SyncOutcome)
    case imported(BundleReceipt)
    /// How the own log stands; of a hub the answer is `done`.
    case released(log: LogID, size: UInt64, published: UInt64)
    case done
    /// It could not be done; one line for a person.
    case failed(String)
}

/// Where an own entry came to stand; ids in base32.
package struct AppendedEntry: Hashable, Sendable, Codable {
    package let id: String
    package let log: String
    package let sequence: UInt64
}

/// An `AppendRefusal` in words that JSON has.
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

    /// Nil if the other side left out what its rule needs.
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

/// One line of JSON, and back.
enum ControlLine {
    static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only floating-point numbers without a value cannot be encoded, and there are none.
        guard let data = try? encoder.encode(message) else { preconditionFailure("every message has a JSON form") }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Nil if the line is not such a message.
    static func decode<Message: Decodable>(_ line: some Collection<UInt8>) -> Message? {
        // Foundation traps where its own limit of 512 levels is passed by the last byte of its input.
        guard !isNested(line, deeperThan: TransportLimits.controlNesting) else { return nil }
        return try? JSONDecoder().decode(Message.self, from: Data(line))
    }

    /// Whether brackets that a string does not hide are open, more than `limit` at once (RFC 8259 section 9 allows a limit).
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
