package import Sodium

/// Size and root of a log, signed by its device: one signature covers all entries up to there (`protocol/log.md` §5).
package struct Head: Hashable, Sendable {
    package let log: LogID
    /// Entries covered, 1 to 2³² − 1.
    package let size: UInt64
    package let root: Bytes32
    package let signature: Signature

    /// A head from its parts, not verified; `isValid` verifies it.
    package init(log: LogID, size: UInt64, root: Bytes32, signature: Signature) {
        self.log = log
        self.size = size
        self.root = root
        self.signature = signature
    }

    package init(signing log: LogID, size: UInt64, root: Bytes32, network: NetworkID, with device: SigningKey) {
        self.init(
            log: log,
            size: size,
            root: root,
            signature: device.sign(Self.signedBytes(network: network, log: log, size: size, root: root))
        )
    }

    package func isValid(network: NetworkID, device: DeviceID) -> Bool {
        let message = Self.signedBytes(network: network, log: log, size: size, root: root)
        return Ed25519.isValid(signature, of: message, by: device.raw)
    }

    /// `"scurry head v1" ‖ network ‖ log ‖ size u64 ‖ root`.
    private static func signedBytes(network: NetworkID, log: LogID, size: UInt64, root: Bytes32) -> [UInt8] {
        var writer = ByteWriter(capacity: 118)
        writer.append("scurry head v1".utf8)
        writer.append(network)
        writer.append(log)
        writer.append(size)
        writer.append(root)
        return writer.bytes
    }
}
