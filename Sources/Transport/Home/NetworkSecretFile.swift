internal import Entries
internal import Sodium

/// The format of `network.secret`: `"scurry netsecret" ‖ secret 16 … 1,024 ‖ preshared key 32`.
///
/// The key is derived from secret and network: it detects damage, and a file of another network.
enum NetworkSecretFile {
    private static let mark = Array("scurry netsecret".utf8)

    static func write(_ secret: NetworkSecret, network: NetworkID, to path: String) throws(HomeError) {
        try KeyFile.write([secret.bytes, secret.presharedKey(in: network)], mark: mark, rest: [], to: path)
    }

    static func read(_ path: String, network: NetworkID) throws(HomeError) -> NetworkSecret {
        guard let content = try KeyFile.read(path), content.hasPrefix(mark),
            content.count >= mark.count + Bytes32.count,
            let secret = NetworkSecret(content.part(mark.count..<content.count - Bytes32.count)),
            secret.presharedKey(in: network).isEqual(to: content.part(content.count - Bytes32.count..<content.count))
        else { throw .damaged(path) }
        return secret
    }
}
