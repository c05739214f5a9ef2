package import Entries

/// A protocol message as bytes: `u32 length ‖ u8 type ‖ body`, big-endian, the length counting type and body.
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

/// An outcome of the bytes that a channel received.
package enum ChannelEvent: Equatable, Sendable {
    /// Handshake bytes to send.
    case send([UInt8])

    /// The other side holds the secret half of `remote`.
    case established(remote: NodeID)

    /// A whole protocol message.
    case message(Frame)
}

/// A violation by the peer, which ends the connection (`protocol/channel.md`).
package enum ChannelViolation: Error, Equatable, Sendable {
    /// A length prefix that is out of range in this state of the channel; refused before the message is awaited.
    case noiseMessageLength(Int)

    /// A handshake message that is refused: another network, another protocol, a changed bit, a key of small order.
    case handshakeRefused(NoiseError)

    /// Another node answered than the one expected.
    case wrongNode(NodeID)

    /// A transport message fails authentication.
    case decryptionFailed

    /// The length of a protocol message is 0 or above `Limits.maximumMessageBytes`.
    case messageLength(UInt32)
}
