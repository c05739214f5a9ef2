/// A JSON value; numbers are integers.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// A string, or null.
    static func optional(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }

    /// A number, or null.
    static func optional(_ number: Int?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }

    fileprivate func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .unsigned(let value): output += String(value)
        case .string(let value): JSONText.write(value, to: &output)
        case .array(let values):
            output += "["
            for (index, value) in values.enumerated() {
                if index > 0 { output += "," }
                value.write(to: &output)
            }
            output += "]"
        case .object(let object): object.write(to: &output)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(nilLiteral: ()) { self = .null }
}

/// A JSON object that is written on one line, its keys in the order in which they were set.
///
/// Strings are not sanitised as for a terminal: characters that a terminal would obey or hide are escaped as `\uXXXX`.
struct JSONObject: Equatable, Sendable {
    private struct Member: Equatable, Sendable {
        var key: String
        var value: JSONValue
    }

    private var members: [Member] = []

    init() {}

    init(_ pairs: KeyValuePairs<String, JSONValue>) {
        for (key, value) in pairs { self[key] = value }
    }

    /// Setting a key again keeps its place; nil removes it.
    subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// One line of JSON Lines, without its line break.
    var line: String {
        var output = ""
        write(to: &output)
        return output
    }

    fileprivate func write(to output: inout String) {
        output += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { output += "," }
            JSONText.write(member.key, to: &output)
            output += ":"
            member.value.write(to: &output)
        }
        output += "}"
    }
}

/// Strings of JSON: RFC 8259 §7.
private enum JSONText {
    static func write(_ text: String, to output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            default:
                if Sanitizer.isForbidden(scalar) || Sanitizer.isHidden(scalar) {
                    for unit in UTF16.encode(scalar) ?? .init() { output += escape(unit) }
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        output += "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
