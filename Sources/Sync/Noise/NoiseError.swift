/// Why a Noise message was refused; the state that refused it must be dropped.
package enum NoiseError: Error, Equatable, Sendable {
    /// A tag is invalid: a wrong key, another prologue, or a changed bit.
    case decryptionFailed

    /// A public key of small order, with which any secret key gives the same result (RFC 7748 §6.1).
    case lowOrderKey

    /// Fewer bytes than the message's keys and tags take.
    case messageTooShort

    /// More than `Limits.maximumNoiseMessageBytes`.
    case messageTooLong
}
