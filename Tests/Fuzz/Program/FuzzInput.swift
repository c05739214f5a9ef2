/// Bytes that the fuzzer chose, front to back; what is missing reads as zeros.
struct FuzzInput {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// Two bytes, big-endian.
    mutating func short() -> Int { Int(byte()) << 8 | Int(byte()) }

    /// Eight bytes, big-endian.
    mutating func long() -> UInt64 {
        (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) }
    }

    /// So many bytes, or what is left.
    mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func all() -> [UInt8] { take(rest.count) }
}
