import Entries
import Sync
import Testing

struct ChannelRekeyTests {
    private static let frame = Frame(type: 1, body: [1])

    @Test func `Messages pass across many rekeys in both directions`() throws {
        var pair = try ChannelPair.opened(initiatorInterval: 3, responderInterval: 3)
        for _ in 0..<20 {
            let there = pair.initiator.seal([Self.frame])
            #expect(try pair.responder.receive(there).frames == [Self.frame])
            let back = pair.responder.seal([Self.frame])
            #expect(try pair.initiator.receive(back).frames == [Self.frame])
        }
    }

    @Test func `The key changes after exactly the agreed number of messages`() throws {
        var pair = try ChannelPair.opened(initiatorInterval: 3, responderInterval: 4)
        for _ in 0..<3 {
            let bytes = pair.initiator.seal([Self.frame])
            #expect(try pair.responder.receive(bytes).frames == [Self.frame])
        }
        let fourth = pair.initiator.seal([Self.frame])
        #expect(throws: ChannelViolation.decryptionFailed) { try pair.responder.receive(fourth) }
    }

    @Test func `A direction counts its own messages only`() throws {
        var pair = try ChannelPair.opened(initiatorInterval: 3, responderInterval: 3)
        for _ in 0..<10 {
            let bytes = pair.initiator.seal([Self.frame])
            #expect(try pair.responder.receive(bytes).frames == [Self.frame])
        }
        let back = pair.responder.seal([Self.frame])
        #expect(try pair.initiator.receive(back).frames == [Self.frame])
    }

    /// Made without a channel's own counting: a cipher by hand, rekeyed once.
    @Test func `The default is 65,536 messages`() throws {
        var pair = ChannelPair()
        var handshake = HandshakeState(
            .mutual,
            role: .initiator,
            prologue: Array("scurry/1".utf8) + ChannelPair.network.bytes,
            keys: HandshakeState.Keys(staticKey: pair.initiatorKey, ephemeral: ChannelPair.key(9))
        )
        let answer = try pair.responder.receive([0, 32] + handshake.write([])).sent
        _ = try handshake.read(Array(answer.dropFirst(2)))
        _ = try pair.responder.receive([0, 64] + handshake.write([]))
        var cipher = handshake.split().sending
        for _ in 0..<65_536 {
            let sealed = cipher.encrypt([0, 0, 0, 1, 7], associated: [])
            guard try pair.responder.receive([0, 21] + sealed).count == 1 else {
                Issue.record("a message is missing")
                return
            }
        }
        cipher.rekey()
        let sealed = cipher.encrypt([0, 0, 0, 1, 8], associated: [])
        #expect(try pair.responder.receive([0, 21] + sealed) == [.message(Frame(type: 8, body: []))])
    }
}
