package import Entries

/// A protocol message on its way: `u32 length ‖ u8 type ‖ body`, big-endian, the length counting type and body.
///
/// The body has 0 to 1,048,575 bytes (`protocol/channel.md` §4).
package struct Frame: Equatable, Sendable {
    package let type: UInt8
    package let body: [UInt8]

    package init(type: UInt8, body: [UInt8]) {
        self.type = type
        self.body = body
    }

    /// Bytes of the length and the type ahead of a body.
    static let headerBytes = 5
}

/// What came of the bytes that a channel received.
package enum ChannelEvent: Equatable, Sendable {
    /// Bytes of the handshake that the other side waits for.
    case send([UInt8])

    /// The other side holds the secret half of `remote`; the 64-byte hash is the same on both sides.
    case established(remote: NodeID, handshakeHash: [UInt8])

    /// A whole protocol message.
    case message(Frame)
}

/// What a peer did that ends its connection (`protocol/channel.md`).
package enum ChannelViolation: Error, Equatable, Sendable {
    /// A length prefix that no message of this state of the channel has, refused before its bytes are waited for.
    case noiseMessageLength(Int)

    /// A handshake message that does not fit: another network, another protocol, a changed bit, a key of small order.
    case handshakeRefused(NoiseError)

    /// Another node than the one that was called answered.
    case wrongNode(NodeID)

    /// A transport message whose tag does not fit.
    case decryptionFailed

    /// The length of a protocol message is 0 or above `Limits.maximumMessageBytes`.
    case messageLength(UInt32)
}
