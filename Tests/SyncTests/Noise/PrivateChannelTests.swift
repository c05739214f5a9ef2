import Entries
import Sodium
import Sync
import Testing

/// Channels of private networks (`protocol/channel.md` §2).
struct PrivateChannelTests {
    private static func secret(_ text: String) throws -> NetworkSecret {
        var bytes = Array(text.utf8)
        return try #require(NetworkSecret(SecretBytes(moving: &bytes)))
    }

    private static func key(_ text: String) throws -> SecretBytes {
        try secret(text).presharedKey(in: ChannelPair.network)
    }

    private static func initiator(_ secret: SecretBytes?) -> SecureChannel {
        .initiator(
            in: ChannelPair.network,
            as: ChannelPair.key(1),
            ephemeral: ChannelPair.key(3),
            expecting: nil,
            secret: secret
        )
    }

    private static func responder(_ secret: SecretBytes?) -> SecureChannel {
        .responder(in: ChannelPair.network, as: ChannelPair.key(2), ephemeral: ChannelPair.key(4), secret: secret)
    }

    /// The example of the page, made by Python's `hashlib`.
    @Test func `The preshared key is the hash of network and secret`() throws {
        let key = try Self.secret("correct horse battery").presharedKey(in: NetworkID(name: "campus"))
        let expected = "f06bb137dca1f492a1323e4851be96854fd6b965b324e238dadfe4790badd71e"
        #expect(key.withUnsafeBytes { Bytes32(raw: $0) }?.description == expected)
        let other = try Self.secret("correct horse battery").presharedKey(in: NetworkID(name: "campus2"))
        #expect(!other.isEqual(to: key))
    }

    @Test(arguments: [(0, false), (15, false), (16, true), (1_024, true), (1_025, false)])
    func `A secret has 16 to 1024 bytes`(count: Int, isGood: Bool) {
        #expect((NetworkSecret(.random(count: count)) != nil) == isGood)
    }

    @Test func `Who knows the secret is let in`() throws {
        let secret = try Self.key("the secret of the lab")
        var (initiator, responder) = (Self.initiator(secret), Self.responder(secret))
        let first = initiator.start()
        #expect(first.prefix(2) == [0, 48] && first.count == 50)
        let third = try initiator.receive(try responder.receive(first).sent).sent
        _ = try responder.receive(third)
        #expect(initiator.isOpen && responder.isOpen)
        let frame = Frame(type: 9, body: [1, 2, 3])
        #expect(try responder.receive(initiator.seal([frame])).frames == [frame])
    }

    @Test func `Who does not know it hears nothing, whatever they say, and is never told that it was wrong`() throws {
        let secret = try Self.key("the secret of the lab")
        var other = Self.initiator(try Self.key("the secret of the lob"))
        var open = Self.initiator(nil)
        var known = Self.initiator(secret)
        var changed = known.start()
        changed[49] ^= 1
        var lowOrder = HandshakeState(
            .mutualWithSecret,
            role: .initiator,
            prologue: Array("scurry/1".utf8) + ChannelPair.network.bytes,
            keys: HandshakeState.Keys(
                staticKey: ChannelPair.key(1),
                ephemeral: ChannelPair.key(3),
                presharedKeys: [secret]
            )
        )
        let good = try [0, 48] + lowOrder.write([])
        let (wrong, plain) = (other.start(), open.start())
        for bytes in [
            wrong, plain, changed, [0, 0], [255, 255], Array(good.prefix(20)),
            [0, 48] + Randomness.bytes(48), Randomness.bytes(100_000),
        ] {
            var responder = Self.responder(secret)
            #expect(try responder.receive(bytes) == [])
            // Nothing mends it: a valid message comes too late.
            #expect(try responder.receive(bytes.count < 48 && bytes.count > 2 ? [] : good) == [])
            #expect(!responder.isOpen)
        }
    }

    @Test func `A third message that is wrong ends it as in an open network`() throws {
        let secret = try Self.key("the secret of the lab")
        var (initiator, responder) = (Self.initiator(secret), Self.responder(secret))
        var third = try initiator.receive(try responder.receive(initiator.start()).sent).sent
        third[10] ^= 1
        #expect(throws: ChannelViolation.handshakeRefused(.decryptionFailed)) { try responder.receive(third) }
    }

    @Test func `An open network's node refuses a private one's, and the other way round`() throws {
        let secret = try Self.key("the secret of the lab")
        var (initiator, responder) = (Self.initiator(secret), Self.responder(nil))
        let first = initiator.start()
        #expect(throws: ChannelViolation.noiseMessageLength(48)) { try responder.receive(first) }
    }
}
