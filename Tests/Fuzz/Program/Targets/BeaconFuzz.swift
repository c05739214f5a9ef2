internal import Entries
internal import Sodium
@testable internal import Transport

/// Datagrams of a local network: whoever reads one reads what its tag was made over, and any other is nothing.
enum BeaconFuzz {
    private static let network = NetworkID(name: "campus")
    private static let openKey = network.bytes
    private static let privateKey = key()
    private static let open = BeaconSeal(network: network, secret: nil)
    private static let closed = BeaconSeal(network: network, secret: SecretBytes.copying(privateKey))

    static func run(_ input: inout FuzzInput) {
        let isPrivate = input.byte() & 1 != 0
        let (seal, key) = isPrivate ? (closed, privateKey) : (open, openKey)
        let bytes = input.all()
        judge(bytes, seal, key)
        // The fuzzer does not find a tag: the same words with the one that fits, then with a byte changed.
        let words = Array(bytes.prefix(27))
        guard words.count == 27 else { return }
        let datagram = words + Hashing.beacon(key, words)
        judge(datagram, seal, key)
        if (isPrivate ? open : closed).beacon(in: datagram) != nil { broken("a beacon of another network was read") }
        for (place, mask) in zip(bytes.dropFirst(27), bytes.dropFirst(28)) where mask != 0 {
            var changed = datagram
            changed[Int(place) % changed.count] ^= mask
            if seal.beacon(in: changed) != nil { broken("a beacon was read that nobody said") }
        }
    }

    private static func judge(_ bytes: [UInt8], _ seal: BeaconSeal, _ key: [UInt8]) {
        let mark = Array("scurry/d".utf8)
        let isTrue =
            bytes.count == 43 && bytes.starts(with: mark) && (1...2).contains(bytes[8])
            && Hashing.beacon(key, Array(bytes.prefix(27))) == Array(bytes.suffix(16))
        guard let beacon = seal.beacon(in: bytes) else {
            if isTrue { broken("a true beacon was ignored") }
            return
        }
        if !isTrue { broken("a beacon was read that is none") }
        if seal.datagram(beacon) != bytes { broken("a beacon has a second spelling") }
        if beacon.port == 0 { broken("a port that nobody can call") }
    }

    private static func key() -> [UInt8] {
        var bytes = Array("correct horse battery".utf8)
        guard let secret = NetworkSecret(SecretBytes(moving: &bytes)) else { broken("21 bytes") }
        return secret.presharedKey(in: network).withUnsafeBytes { Array($0) }
    }
}

extension SecretBytes {
    static func copying(_ bytes: [UInt8]) -> SecretBytes {
        var copy = bytes
        return SecretBytes(moving: &copy)
    }
}
