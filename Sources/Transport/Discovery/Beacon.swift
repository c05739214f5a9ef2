package import Entries
package import Sodium

/// What a node says to its local network: that it is there, and where it can be called (`protocol/discovery.md` §2).
package struct Beacon: Hashable, Sendable {
    package enum Kind: UInt8, Hashable, Sendable {
        /// Whoever hears it says that it is there, too.
        case call = 1
        case answer = 2
    }

    package let kind: Kind
    /// The TCP port of the sender; nil: nobody can call it.
    package let port: UInt16?
    /// 16 random bytes: tells the sender its own words, and others nothing.
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

/// Writes and reads the beacons of one network; those of others are noise to it, and its own to others.
package struct BeaconSeal: Sendable {
    /// The preshared key of a private network, the network id of an open one: 32 bytes.
    private let key: SecretBytes

    private static let mark = Array("scurry/d".utf8)
    private static let tagBytes = 16
    private static let sealedBytes = mark.count + 3 + Beacon.saltBytes
    /// A datagram of any other length is none.
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

    /// Nil for anything that no node of this network says.
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
