package import Sodium

/// A 32-byte identifier with a type of its own, so that a log's id is never handed over as an entry's.
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

    /// Lower-case base32 (`protocol/README.md`), 52 characters.
    package var description: String { Base32.encode(raw.bytes) }

    package static func < (left: Self, right: Self) -> Bool { left.raw < right.raw }
}

/// Which network: `H("scurry/network", name)` (`protocol/identity.md`).
package struct NetworkID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }

    /// The id of the network with this name; the name is hashed as its UTF-8 bytes.
    package init(name: String) {
        raw = Blake2b.hash(.network, Array(name.utf8))
    }
}

/// A person: the public half of an Ed25519 root key (`protocol/identity.md`).
package struct IdentityID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// The public half of a device's Ed25519 key (`protocol/identity.md`).
package struct DeviceID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// One device's log: `H("scurry/log", certificate)` (`protocol/log.md`).
package struct LogID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

extension LogID {
    /// What stands for the end of an account in a frontier: `H("scurry/end", network ‖ root key)` (`protocol/identity.md` §5).
    package init(endOf identity: IdentityID, in network: NetworkID) {
        raw = Blake2b.hash(.end, network.raw, identity.raw)
    }
}

/// One entry: `H("scurry/entry", header)`, the leaf of its log's tree and the name that others point to it by.
package struct EntryID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}

/// A payload's hash: `H("scurry/payload", payload)`.
package struct PayloadHash: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }

    package init(of payload: [UInt8]) {
        raw = Blake2b.hash(.payload, payload)
    }
}

/// A node of the network: its X25519 public key, apart from every person's (`protocol/channel.md`).
package struct NodeID: Identifier {
    package let raw: Bytes32
    package init(raw: Bytes32) { self.raw = raw }
}
