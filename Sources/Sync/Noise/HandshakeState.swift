package import Sodium

/// One side of a handshake (Noise §5.3) with Curve25519, ChaCha20-Poly1305 and BLAKE2b.
///
/// Pure: the ephemeral key is an argument. A message out of turn is a mistake of the caller and traps; a message that
/// is refused throws, and the state must then be dropped.
package struct HandshakeState: Sendable {
    package enum Role: Sendable {
        case initiator, responder
    }

    /// The keys that one side brings along; the pattern says which it asks for.
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

    /// Bytes that the next message has besides its payload.
    package var nextOverhead: Int { pattern.overhead(ofMessage: index) }

    /// The other side's static key, as soon as it was heard or if it was known.
    package var remoteStatic: Bytes32? { keys.remoteStatic }

    /// 64 bytes that name this handshake; both sides have the same after the last message.
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

    /// The ciphers of the two directions, once the last message is through.
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

    /// A key that the pattern has by now: the caller gave it, or an earlier token read it.
    private static func held<Key>(_ key: Key?) -> Key {
        guard let key else { preconditionFailure("the pattern asks for a key that was not given") }
        return key
    }

    private static func key(_ bytes: [UInt8]) throws(NoiseError) -> Bytes32 {
        guard let key = Bytes32(bytes) else { throw .messageTooShort }
        return key
    }
}
