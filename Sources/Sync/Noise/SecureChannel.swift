package import Entries
package import Sodium

/// One connection between two nodes: Noise_XX over a stream of bytes, then protocol messages (`protocol/channel.md`).
///
/// A value without socket, clock or randomness: bytes in, events out; messages in, bytes out. A violation by the peer
/// throws a `ChannelViolation`; the channel is then over, and throws the same again. Calls in the wrong order trap.
package struct SecureChannel: Sendable {
    private enum Phase {
        /// Handshake messages are exchanged; each has one length that is known beforehand.
        case handshake(HandshakeState)

        /// Both sides are authenticated, and the two directions have keys.
        case open(sending: TransportCipher, receiving: TransportCipher)

        /// The peer broke the protocol; the keys are gone.
        case failed(ChannelViolation)

        /// The peer has not shown the network's secret: its bytes are ignored, and it gets no answer until the
        /// deadline.
        case deaf
    }

    private var phase: Phase
    private let expected: NodeID?
    private let rekeyInterval: UInt64
    /// Whether this is the responder of a private network and nothing valid has come yet: until then it reveals
    /// nothing, not even an error.
    private var isHiding: Bool
    private var messages = NoiseMessageReader()
    private var frames = FrameReader()

    private init(
        _ role: HandshakeState.Role,
        in network: NetworkID,
        as key: AgreementKey,
        ephemeral: AgreementKey,
        expecting expected: NodeID?,
        secret: SecretBytes?,
        rekeyInterval: UInt64
    ) {
        let prologue = Array("scurry/1".utf8) + network.bytes
        let keys = HandshakeState.Keys(
            staticKey: key,
            ephemeral: ephemeral,
            presharedKeys: secret.map { [$0] } ?? []
        )
        let pattern = secret == nil ? HandshakePattern.mutual : .mutualWithSecret
        phase = .handshake(HandshakeState(pattern, role: role, prologue: prologue, keys: keys))
        switch role {
        case .initiator: isHiding = false
        case .responder: isHiding = secret != nil
        }
        self.expected = expected
        self.rekeyInterval = rekeyInterval
    }

    /// The dialling side; `expected` is the node that it wants, if it knows.
    ///
    /// `ephemeral` must be drawn for this connection alone; `secret` is the 32-byte key of a private network
    /// (`NetworkSecret.presharedKey`), nil in an open one.
    package static func initiator(
        in network: NetworkID,
        as key: AgreementKey,
        ephemeral: AgreementKey,
        expecting expected: NodeID?,
        secret: SecretBytes? = nil,
        rekeyInterval: UInt64 = Limits.rekeyIntervalMessages
    ) -> SecureChannel {
        SecureChannel(
            .initiator,
            in: network,
            as: key,
            ephemeral: ephemeral,
            expecting: expected,
            secret: secret,
            rekeyInterval: rekeyInterval
        )
    }

    /// The accepting side.
    package static func responder(
        in network: NetworkID,
        as key: AgreementKey,
        ephemeral: AgreementKey,
        secret: SecretBytes? = nil,
        rekeyInterval: UInt64 = Limits.rekeyIntervalMessages
    ) -> SecureChannel {
        SecureChannel(
            .responder,
            in: network,
            as: key,
            ephemeral: ephemeral,
            expecting: nil,
            secret: secret,
            rekeyInterval: rekeyInterval
        )
    }

    /// True from the `.established` event on, until a violation.
    package var isOpen: Bool {
        switch phase {
        case .open: true
        case .handshake, .failed, .deaf: false
        }
    }

    /// The initiator's first bytes; call it once, before anything is received.
    package mutating func start() -> [UInt8] {
        guard case .handshake(var handshake) = phase else { preconditionFailure("the handshake is over") }
        // The first message uses no key agreement yet, so writing it cannot fail.
        guard let message = try? handshake.write([]) else { preconditionFailure("nothing to refuse") }
        phase = .handshake(handshake)
        return Self.prefixed(message)
    }

    /// Takes received bytes, cut anywhere, and appends their events to `events`; those ahead of a violation are
    /// appended before it is thrown.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        into events: inout [ChannelEvent]
    ) throws(ChannelViolation) {
        if case .deaf = phase { return }
        do throws(ChannelViolation) {
            var rest = bytes
            while let message = try messages.next(from: &rest, lengths: acceptedLengths()) {
                try take(message, into: &events)
            }
        } catch {
            phase = isHiding ? .deaf : .failed(error)
            messages = NoiseMessageReader()
            frames = FrameReader()
            if isHiding { return }
            throw error
        }
    }

    package mutating func receive(
        _ bytes: [UInt8],
        into events: inout [ChannelEvent]
    ) throws(ChannelViolation) {
        try bytes.withUnsafeBufferPointer { bytes throws(ChannelViolation) in
            try receive(UnsafeRawBufferPointer(bytes), into: &events)
        }
    }

    /// Deciphers received bytes, for a caller that does not need the events ahead of a violation.
    package mutating func receive(_ bytes: [UInt8]) throws(ChannelViolation) -> [ChannelEvent] {
        var events: [ChannelEvent] = []
        try receive(bytes, into: &events)
        return events
    }

    /// The bytes that carry these messages, in order; small ones share Noise messages, so pass many at once.
    ///
    /// The channel must be open, and a body has at most 1,048,575 bytes.
    package mutating func seal(_ frames: [Frame]) -> [UInt8] {
        guard case .open(var sending, let receiving) = phase else { preconditionFailure("the channel is not open") }
        let bytes = FrameWriter.seal(frames, with: &sending)
        phase = .open(sending: sending, receiving: receiving)
        return bytes
    }

    /// The lengths that the next Noise message may have.
    private func acceptedLengths() throws(ChannelViolation) -> ClosedRange<Int> {
        switch phase {
        case .handshake(let handshake):
            precondition(!handshake.isToWrite, "the initiator starts before it receives")
            return handshake.nextOverhead...handshake.nextOverhead
        case .open:
            // A message without plaintext would cost its sender nothing, and carry nothing.
            return ChaChaPoly.tagCount + 1...Limits.maximumNoiseMessageBytes
        case .failed(let violation):
            throw violation
        case .deaf: preconditionFailure("nothing is read any more")
        }
    }

    private mutating func take(
        _ message: NoiseMessageReader.Message,
        into events: inout [ChannelEvent]
    ) throws(ChannelViolation) {
        switch phase {
        case .handshake(var handshake):
            let answer = try message.withUnsafeBytes { bytes throws(ChannelViolation) in
                try Self.step(&handshake, Array(bytes), expecting: expected)
            }
            isHiding = false
            if let answer { events.append(.send(answer)) }
            phase = handshake.isFinished ? establish(handshake, &events) : .handshake(handshake)
        case .open(let sending, var receiving):
            let plaintext: [UInt8]
            do throws(NoiseError) {
                plaintext = try message.withUnsafeBytes { bytes throws(NoiseError) in try receiving.open(bytes) }
            } catch {
                throw .decryptionFailed
            }
            phase = .open(sending: sending, receiving: receiving)
            try frames.take(plaintext, into: &events)
        case .failed(let violation):
            throw violation
        case .deaf: preconditionFailure("nothing is read any more")
        }
    }

    /// Reads one handshake message, and writes the answer if one is due.
    private static func step(
        _ handshake: inout HandshakeState,
        _ message: [UInt8],
        expecting expected: NodeID?
    ) throws(ChannelViolation) -> [UInt8]? {
        do throws(NoiseError) {
            _ = try handshake.read(message)
        } catch {
            throw .handshakeRefused(error)
        }
        // Checked ahead of the answer, which would reveal the caller to a stranger.
        if let expected, let remote = handshake.remoteStatic, NodeID(raw: remote) != expected {
            throw .wrongNode(NodeID(raw: remote))
        }
        guard handshake.isToWrite else { return nil }
        do throws(NoiseError) {
            return prefixed(try handshake.write([]))
        } catch {
            throw .handshakeRefused(error)
        }
    }

    private func establish(_ handshake: HandshakeState, _ events: inout [ChannelEvent]) -> Phase {
        guard let remote = handshake.remoteStatic else { preconditionFailure("in XX both sides show their keys") }
        events.append(.established(remote: NodeID(raw: remote)))
        let ciphers = handshake.split()
        return .open(
            sending: TransportCipher(ciphers.sending, rekeyInterval: rekeyInterval),
            receiving: TransportCipher(ciphers.receiving, rekeyInterval: rekeyInterval)
        )
    }

    private static func prefixed(_ message: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: message.count).bigEndian) { Array($0) } + message
    }
}
