package import Sodium

/// One side of a handshake (Noise §5.3) with Curve25519, ChaCha20-Poly1305 and BLAKE2b.
///
/// More general than the patterns of the channels need, so that the published Noise vectors test it.
///
/// Pure: the ephemeral key is an argument. A call out of turn is a programming error and traps; a refused message
/// throws, and the state must then be dropped.
package struct HandshakeState: Sendable {
    package enum Role: Sendable {
        case initiator, responder
    }

    /// The keys of one side; the pattern determines which of them are used.
    package struct Keys: Sendable {
        package var staticKey: AgreementKey?
        package var ephemeral: AgreementKey
        package var remoteStatic: Bytes32?
        package var presharedKeys: [SecretBytes]

        /// `presharedKeys` are 32 bytes each, in the order of their use.
        package init(
            staticKey: AgreementKey?,
            ephemeral: AgreementKey,
            remoteStatic: Bytes32? = nil,
            presharedKeys: [SecretBytes] = []
        ) {
            precondition(presharedKeys.allSatisfy { $0.count == 32 }, "a preshared key has 32 bytes")
            self.staticKey = staticKey
            self.ephemeral = ephemeral
            self.remoteStatic = remoteStatic
            self.presharedKeys = presharedKeys
        }
    }

    private let role: Role
    private let pattern: HandshakePattern
    private var keys: Keys
    private var remoteEphemeral: Bytes32?
    private var symmetric: SymmetricState
    private var index = 0

    package init(_ pattern: HandshakePattern, role: Role, prologue: [UInt8], keys: Keys) {
        self.role = role
        self.pattern = pattern
        self.keys = keys
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
        switch (pattern.known, role) {
        case (.nothing, _): break
        case (.responderStatic, .initiator): symmetric.mixHash(Self.held(keys.remoteStatic).bytes)
        case (.responderStatic, .responder): symmetric.mixHash(Self.held(keys.staticKey).publicKey.bytes)
        }
    }

    package var isFinished: Bool { index == pattern.messages.count }

    package var isToWrite: Bool {
        !isFinished && index.isMultiple(of: 2) == (role == .initiator)
    }

    /// Bytes of the next message without its payload.
    package var nextOverhead: Int { pattern.overhead(ofMessage: index) }

    /// The other side's static key; nil until it was received, unless it was given.
    package var remoteStatic: Bytes32? { keys.remoteStatic }

    /// A 64-byte hash that identifies this handshake; both sides have the same after the last message.
    /// Only tests ask.
    package var handshakeHash: [UInt8] { symmetric.hash }

    /// Writes the next message.
    package mutating func write(_ payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        precondition(isToWrite, "it is not this side's turn to write")
        guard payload.count + nextOverhead <= Limits.maximumNoiseMessageBytes else { throw .messageTooLong }
        var message: [UInt8] = []
        for token in pattern.messages[index] {
            switch token {
            case .e:
                message += keys.ephemeral.publicKey.bytes
                mixEphemeral(keys.ephemeral.publicKey)
            case .s:
                message += symmetric.encryptAndHash(Self.held(keys.staticKey).publicKey.bytes)
            case .ee, .es, .se, .ss, .psk:
                try mix(token)
            }
        }
        message += symmetric.encryptAndHash(payload)
        index += 1
        return message
    }

    /// Reads the next message and returns its payload.
    package mutating func read(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        precondition(!isFinished && !isToWrite, "it is not the other side's turn to write")
        guard message.count <= Limits.maximumNoiseMessageBytes else { throw .messageTooLong }
        guard message.count >= nextOverhead else { throw .messageTooShort }
        var rest = message[...]
        for token in pattern.messages[index] {
            switch token {
            case .e:
                let key = try Self.key(Array(rest.prefix(32)))
                rest = rest.dropFirst(32)
                remoteEphemeral = key
                mixEphemeral(key)
            case .s:
                let count = symmetric.hasKey ? 32 + ChaChaPoly.tagCount : 32
                let sealed = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                keys.remoteStatic = try Self.key(symmetric.decryptAndHash(sealed))
            case .ee, .es, .se, .ss, .psk:
                try mix(token)
            }
        }
        let payload = try symmetric.decryptAndHash(Array(rest))
        index += 1
        return payload
    }

    /// The ciphers of the two directions; the handshake must be finished.
    package func split() -> (sending: CipherState, receiving: CipherState) {
        precondition(isFinished, "the handshake is not over")
        let ciphers = symmetric.split()
        switch role {
        case .initiator: return (ciphers.initiator, ciphers.responder)
        case .responder: return (ciphers.responder, ciphers.initiator)
        }
    }

    private mutating func mixEphemeral(_ key: Bytes32) {
        symmetric.mixHash(key.bytes)
        if pattern.usesPresharedKeys {
            symmetric.mixKey(key)
        }
    }

    private mutating func mix(_ token: HandshakePattern.Token) throws(NoiseError) {
        switch (token, role) {
        case (.e, _), (.s, _): preconditionFailure("keys that are sent are not agreed upon")
        case (.ee, _): try agree(keys.ephemeral, remoteEphemeral)
        case (.ss, _): try agree(keys.staticKey, keys.remoteStatic)
        case (.es, .initiator), (.se, .responder): try agree(keys.ephemeral, keys.remoteStatic)
        case (.es, .responder), (.se, .initiator): try agree(keys.staticKey, remoteEphemeral)
        case (.psk, _):
            precondition(!keys.presharedKeys.isEmpty, "the pattern asks for another preshared key")
            symmetric.mixKeyAndHash(keys.presharedKeys.removeFirst())
        }
    }

    private mutating func agree(_ own: AgreementKey?, _ other: Bytes32?) throws(NoiseError) {
        guard let shared = Self.held(own).sharedSecret(with: Self.held(other)) else { throw .lowOrderKey }
        symmetric.mixKey(shared)
    }

    /// A key that must be there by now: given by the caller, or read by an earlier token.
    private static func held<Key>(_ key: Key?) -> Key {
        guard let key else { preconditionFailure("the pattern asks for a key that was not given") }
        return key
    }

    private static func key(_ bytes: [UInt8]) throws(NoiseError) -> Bytes32 {
        guard let key = Bytes32(bytes) else { throw .messageTooShort }
        return key
    }
}
