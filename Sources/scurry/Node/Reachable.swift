#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Transport

/// The address by which another person can join this node.
enum Reachable {
    /// `NODEID@host:port`, with the address that `invite` gives if the node listens on every one, or the machine's name
    /// if it has none; nil if nobody can connect.
    static func address(of node: NodeID, listening: String?) -> SafeText? {
        guard let listening, let colon = listening.lastIndex(of: ":") else { return nil }
        let host = String(listening[..<colon])
        let isEvery = ["0.0.0.0", "[::]", "*", ""].contains(host)
        let name = isEvery ? likeliest() ?? machineName() ?? "HOST" : host
        return "\(node.description)@\(name)\(String(listening[colon...]))"
    }

    private static func likeliest() -> String? {
        LocalAddresses.all().first.map { $0.contains(":") ? "[\($0)]" : $0 }
    }

    /// `gethostname(2)`
    private static func machineName() -> String? {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
