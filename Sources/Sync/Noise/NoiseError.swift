/// Why a Noise message was refused; the state that refused it is of no use any more.
package enum NoiseError: Error, Equatable, Sendable {
    /// A tag does not fit: a wrong key, another prologue, or a changed bit.
    case decryptionFailed

    /// A public key of small order, with which any secret key gives the same result (RFC 7748 §6.1).
    case lowOrderKey

    /// Fewer bytes than the message's keys and tags take.
    case messageTooShort

    /// More than `Limits.maximumNoiseMessageBytes`.
    case messageTooLong
}
