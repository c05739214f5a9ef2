#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries

/// What one tells a friend so that they can join.
enum Reachable {
    /// `NODEID@host:port`; the machine's name stands for an address that means every address. Nil if nobody can call.
    static func address(of node: NodeID, listening: String?) -> SafeText? {
        guard let listening, let colon = listening.lastIndex(of: ":") else { return nil }
        let host = String(listening[..<colon])
        let isEvery = ["0.0.0.0", "[::]", "*", ""].contains(host)
        let name = isEvery ? machineName() ?? "HOST" : host
        return "\(node.description)@\(name)\(String(listening[colon...]))"
    }

    /// `gethostname(2)`
    private static func machineName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
