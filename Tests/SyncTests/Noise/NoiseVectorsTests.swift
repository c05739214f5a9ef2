import Sodium
import Sync
import TestSupport
import Testing

/// The published dialogues of the Noise implementations cacophony and snow.
struct NoiseVectorsTests {
    private struct Vector: Decodable {
        struct Message: Decodable {
            let payload: String
            let ciphertext: String
        }

        let protocol_name: String
        let init_prologue: String
        let init_static: String?
        let init_ephemeral: String
        let init_remote_static: String?
        let init_psks: [String]?
        let resp_prologue: String
        let resp_static: String?
        let resp_ephemeral: String
        let resp_psks: [String]?
        let handshake_hash: String?
        let messages: [Message]
    }

    /// The patterns of the vectors that the program itself has no use for stand here, as data.
    private static let patterns = [
        HandshakePattern.mutual,
        HandshakePattern(name: "NN", known: .nothing, messages: [[.e], [.e, .ee]]),
        HandshakePattern(name: "IK", known: .responderStatic, messages: [[.e, .es, .s, .ss], [.e, .ee, .se]]),
        HandshakePattern(name: "XX1", known: .nothing, messages: [[.e], [.e, .ee, .s], [.es, .s, .se]]),
        HandshakePattern(name: "IK1", known: .responderStatic, messages: [[.e, .s], [.e, .ee, .se, .es]]),
    ]

    @Test(.enabled(if: Vectors.areExpected))
    func `Every published dialogue is spoken byte by byte`() throws {
        let vectors = try Vectors.published("noise.json", as: [Vector].self)
        var dialogues = 0
        var messages = 0
        for vector in vectors {
            messages += try Self.replay(vector)
            dialogues += 1
        }
        #expect(dialogues == 21)
        #expect(messages == 110)
    }

    private static func replay(_ vector: Vector) throws -> Int {
        let name = Comment(rawValue: vector.protocol_name)
        let pattern = try #require(Self.pattern(vector.protocol_name), name)
        #expect(pattern.protocolName == vector.protocol_name)
        var initiator = HandshakeState(
            pattern,
            role: .initiator,
            prologue: [UInt8](hex: vector.init_prologue),
            keys: HandshakeState.Keys(
                staticKey: try vector.init_static.map(key),
                ephemeral: try key(vector.init_ephemeral),
                remoteStatic: vector.init_remote_static.flatMap { Bytes32([UInt8](hex: $0)) },
                presharedKeys: (vector.init_psks ?? []).map(secret)
            )
        )
        var responder = HandshakeState(
            pattern,
            role: .responder,
            prologue: [UInt8](hex: vector.resp_prologue),
            keys: HandshakeState.Keys(
                staticKey: try vector.resp_static.map(key),
                ephemeral: try key(vector.resp_ephemeral),
                presharedKeys: (vector.resp_psks ?? []).map(secret)
            )
        )

        let handshake = vector.messages.prefix(pattern.messages.count)
        for message in handshake {
            let payload = [UInt8](hex: message.payload)
            let overhead = initiator.nextOverhead
            let sent: [UInt8]
            let received: [UInt8]
            if initiator.isToWrite {
                sent = try initiator.write(payload)
                received = try responder.read(sent)
            } else {
                sent = try responder.write(payload)
                received = try initiator.read(sent)
            }
            #expect(sent == [UInt8](hex: message.ciphertext), name)
            #expect(received == payload, name)
            #expect(sent.count == payload.count + overhead, name)
        }
        #expect(initiator.handshakeHash == responder.handshakeHash, name)
        if let hash = vector.handshake_hash {
            #expect(initiator.handshakeHash == [UInt8](hex: hash), name)
        }

        var (fromInitiator, toInitiator) = initiator.split()
        var (fromResponder, toResponder) = responder.split()
        for (index, message) in vector.messages.enumerated().dropFirst(handshake.count) {
            let payload = [UInt8](hex: message.payload)
            let sent: [UInt8]
            let received: [UInt8]
            if index.isMultiple(of: 2) {
                sent = fromInitiator.encrypt(payload, associated: [])
                received = try sent.withUnsafeBytes { try toResponder.decrypt($0, associated: []) }
            } else {
                sent = fromResponder.encrypt(payload, associated: [])
                received = try sent.withUnsafeBytes { try toInitiator.decrypt($0, associated: []) }
            }
            #expect(sent == [UInt8](hex: message.ciphertext), name)
            #expect(received == payload, name)
        }
        return vector.messages.count
    }

    /// `Noise_XXpsk0+psk2_…` as a pattern and its modifiers.
    private static func pattern(_ protocolName: String) -> HandshakePattern? {
        let name = protocolName.split(separator: "_")[1]
        let parts = name.replacing("+", with: "").split(separator: "psk")
        let places = parts.dropFirst().compactMap { Int($0) }
        return patterns.first { $0.name == parts[0] }.map { places.isEmpty ? $0 : $0.withPresharedKeys(at: places) }
    }

    private static func secret(_ hex: String) -> SecretBytes {
        var bytes = [UInt8](hex: hex)
        return SecretBytes(moving: &bytes)
    }

    private static func key(_ hex: String) throws -> AgreementKey {
        try #require(AgreementKey(secret: secret(hex)))
    }
}
