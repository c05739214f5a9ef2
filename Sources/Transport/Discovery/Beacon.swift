package import Entries
package import Sodium

/// An announcement to the local network: a node is here, and listens on this port (`protocol/discovery.md` §2).
package struct Beacon: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        /// Asks the nodes that hear it to answer.
        case call = 1
        case answer = 2
    }

    package let kind: Kind
    /// The sender's TCP port; nil if it accepts no connections.
    package let port: UInt16?
    /// 16 random bytes, by which only the sender recognises its own beacon.
    package let salt: [UInt8]

    package static let saltBytes = 16

    package init(_ kind: Kind, port: UInt16?) {
        self.init(kind, port: port, salt: SecretBytes.random(count: Self.saltBytes).withUnsafeBytes { Array($0) })
    }

    fileprivate init(_ kind: Kind, port: UInt16?, salt: [UInt8]) {
        self.kind = kind
        self.port = port
        self.salt = salt
    }
}

/// Encodes and authenticates the beacons of one network; beacons of another network do not verify.
package struct BeaconSeal: Sendable {
    /// The preshared key of a private network, the network id of an open one: 32 bytes.
    private let key: SecretBytes

    private static let mark = Array("scurry/d".utf8)
    private static let tagBytes = 16
    private static let sealedBytes = mark.count + 3 + Beacon.saltBytes
    /// Length of a beacon; a datagram of any other length is none.
    package static let datagramBytes = sealedBytes + tagBytes

    package init(network: NetworkID, secret: SecretBytes?) {
        var id = network.bytes
        key = secret ?? SecretBytes(moving: &id)
    }

    package func datagram(_ beacon: Beacon) -> [UInt8] {
        let port = beacon.port ?? 0
        let bytes =
            Self.mark + [beacon.kind.rawValue, UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
            + beacon.salt
        return bytes + tag(of: bytes)
    }

    /// Nil for a datagram that is no beacon of this network.
    package func beacon(in datagram: [UInt8]) -> Beacon? {
        guard datagram.count == Self.datagramBytes, datagram.starts(with: Self.mark),
            let kind = Beacon.Kind(rawValue: datagram[Self.mark.count])
        else { return nil }
        let bytes = Array(datagram.prefix(Self.sealedBytes))
        guard tag(of: bytes).isEqualInConstantTime(to: Array(datagram.suffix(Self.tagBytes))) else { return nil }
        let port = UInt16(bytes[Self.mark.count + 1]) << 8 | UInt16(bytes[Self.mark.count + 2])
        return Beacon(kind, port: port == 0 ? nil : port, salt: Array(bytes.suffix(Beacon.saltBytes)))
    }

    private func tag(of bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let hash = Blake2b.hash(.beacon, SecretBytes(joining: [key, SecretBytes(moving: &bytes)]))
        return hash.withUnsafeBytes { Array($0.prefix(Self.tagBytes)) }
    }
}
