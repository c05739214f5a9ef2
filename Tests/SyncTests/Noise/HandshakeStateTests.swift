import Sodium
import Sync
import Testing

struct HandshakeStateTests {
    @Test func `Messages of XX have known lengths`() {
        #expect((0..<3).map { HandshakePattern.mutual.overhead(ofMessage: $0) } == [32, 96, 64])
        #expect((0..<3).map { HandshakePattern.mutualWithSecret.overhead(ofMessage: $0) } == [48, 96, 64])
        #expect(HandshakePattern.mutualWithSecret.protocolName == "Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b")
    }

    @Test(arguments: [0, 1, 31])
    func `Less than a message's keys is refused`(count: Int) {
        var responder = Self.state(.responder)
        #expect(throws: NoiseError.messageTooShort) { try responder.read([UInt8](repeating: 9, count: count)) }
    }

    @Test func `Every cut of the second message is too short`() throws {
        var initiator = Self.state(.initiator)
        var responder = Self.state(.responder)
        _ = try responder.read(initiator.write([]))
        let second = try responder.write([])
        for count in 0..<second.count {
            var reader = initiator
            #expect(throws: NoiseError.messageTooShort, "\(count) bytes") {
                try reader.read(Array(second.prefix(count)))
            }
        }
    }

    @Test func `More than a Noise message holds is refused`() {
        var responder = Self.state(.responder)
        #expect(throws: NoiseError.messageTooLong) { try responder.read([UInt8](repeating: 9, count: 65_536)) }
        var initiator = Self.state(.initiator)
        #expect(throws: NoiseError.messageTooLong) {
            try initiator.write([UInt8](repeating: 0, count: 65_535 - 31))
        }
    }

    @Test func `An ephemeral key of small order is refused`() throws {
        var responder = Self.state(.responder)
        _ = try responder.read([UInt8](repeating: 0, count: 32))
        #expect(throws: NoiseError.lowOrderKey) { try responder.write([]) }
    }

    @Test func `Another secret of the network is refused`() throws {
        var initiator = Self.state(.initiator, .mutualWithSecret, secret: 1)
        var member = Self.state(.responder, .mutualWithSecret, secret: 1)
        var stranger = Self.state(.responder, .mutualWithSecret, secret: 2)
        let first = try initiator.write([])
        #expect(try member.read(first) == [])
        #expect(throws: NoiseError.decryptionFailed) { try stranger.read(first) }
    }

    private static func state(
        _ role: HandshakeState.Role,
        _ pattern: HandshakePattern = .mutual,
        secret: UInt8? = nil
    ) -> HandshakeState {
        HandshakeState(
            pattern,
            role: role,
            prologue: [],
            keys: HandshakeState.Keys(
                staticKey: .random(),
                ephemeral: .random(),
                presharedKeys: secret.map { byte in
                    var bytes = [UInt8](repeating: byte, count: 32)
                    return [SecretBytes(moving: &bytes)]
                } ?? []
            )
        )
    }
}
