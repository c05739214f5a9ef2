package import Sodium

/// A 32-byte identifier with a type of its own, so that one kind is never passed for another.
package protocol Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var raw: Bytes32 { get }
    init(raw: Bytes32)
}

extension Identifier {
    /// Takes exactly 32 bytes; nil for any other length.
    package init?(_ bytes: some Sequence<UInt8>) {
        guard let raw = Bytes32(bytes) else { return nil }
        self.init(raw: raw)
    }

    package var bytes: [UInt8] { raw.bytes }

    /// 52 characters of lower-case base32 (`protocol/README.md` §5).
    package var description: String { Base32.encode(raw.bytes) }

    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Id of a network: `H("scurry/network", name)` (`protocol/identity.md` §1).
package struct NetworkID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }

    /// The id of the network with this name, hashed as its UTF-8 bytes.
    package init(name: String) {
        raw = Blake2b.hash(.network, Array(name.utf8))
    }
}

/// A person: the public half of an Ed25519 root key (`protocol/identity.md` §2).
package struct IdentityID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// The public half of a device's Ed25519 key (`protocol/identity.md` §3).
package struct DeviceID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// Id of one device's log: `H("scurry/log", certificate)` (`protocol/identity.md` §4).
package struct LogID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

extension LogID {
    /// Id of an ended account's frontier item: `H("scurry/end", network ‖ root key)` (`protocol/log.md` §8).
    package init(endOf identity: IdentityID, in network: NetworkID) {
        raw = Blake2b.hash(.end, network.raw, identity.raw)
    }
}

/// Id of an entry: `H("scurry/entry", header)`; the leaf of its log's tree, and how other entries refer to it.
package struct EntryID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// Hash of a payload: `H("scurry/payload", payload)`.
package struct PayloadHash: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }

    package init(of payload: [UInt8]) {
        raw = Blake2b.hash(.payload, payload)
    }
}

/// Id of a node: its X25519 public key, independent of any identity (`protocol/channel.md`).
package struct NodeID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}
