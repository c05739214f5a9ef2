import Entries
import Sodium
import Sync
import Testing

struct ChannelHandshakeTests {
    @Test func `Both sides learn the other's key`() throws {
        var pair = ChannelPair()
        let (atInitiator, atResponder) = try pair.open()
        #expect(atInitiator == [.established(remote: pair.responderID)])
        #expect(atResponder == [.established(remote: pair.initiatorID)])
        #expect(pair.initiator.isOpen && pair.responder.isOpen)
    }

    @Test func `Messages of the handshake have their length ahead`() throws {
        var pair = ChannelPair()
        let first = pair.initiator.start()
        let second = try pair.responder.receive(first).sent
        let third = try pair.initiator.receive(second).sent
        #expect(first.prefix(2) == [0, 32] && first.count == 34)
        #expect(second.prefix(2) == [0, 96] && second.count == 98)
        #expect(third.prefix(2) == [0, 64] && third.count == 66)
    }

    /// The prologue on the wire: a Noise state made here, by hand, speaks with a channel.
    @Test func `The prologue is the protocol's name and the network's id`() throws {
        var pair = ChannelPair()
        var initiator = HandshakeState(
            .mutual,
            role: .initiator,
            prologue: Array("scurry/1".utf8) + ChannelPair.network.bytes,
            keys: HandshakeState.Keys(staticKey: pair.initiatorKey, ephemeral: ChannelPair.key(9))
        )
        let answer = try pair.responder.receive([0, 32] + initiator.write([])).sent
        #expect(try initiator.read(Array(answer.dropFirst(2))) == [])
        let last = try pair.responder.receive([0, 64] + initiator.write([]))
        #expect(last == [.established(remote: pair.initiatorID)])
    }

    @Test func `Every flipped bit of the first message ends the handshake`() throws {
        for bit in 0..<34 * 8 {
            var pair = ChannelPair()
            let changed = Self.flipping(bit, in: pair.initiator.start())
            if bit < 16 {
                #expect(throws: ChannelViolation.self, "bit \(bit)") { try pair.responder.receive(changed) }
            } else {
                // A changed key is a key too: only the initiator can tell, by the answer.
                let answer = try pair.responder.receive(changed).sent
                #expect(throws: ChannelViolation.self, "bit \(bit)") { try pair.initiator.receive(answer) }
            }
            #expect(!pair.initiator.isOpen && !pair.responder.isOpen)
        }
    }

    @Test func `Every flipped bit of the second message is refused`() throws {
        var pair = ChannelPair()
        let second = try pair.responder.receive(pair.initiator.start()).sent
        for bit in 0..<second.count * 8 {
            var initiator = pair.initiator
            let changed = Self.flipping(bit, in: second)
            #expect(throws: ChannelViolation.self, "bit \(bit)") { try initiator.receive(changed) }
            #expect(!initiator.isOpen)
        }
    }

    @Test func `Every flipped bit of the third message is refused`() throws {
        var pair = ChannelPair()
        let second = try pair.responder.receive(pair.initiator.start()).sent
        let third = try pair.initiator.receive(second).sent
        for bit in 0..<third.count * 8 {
            var responder = pair.responder
            let changed = Self.flipping(bit, in: third)
            #expect(throws: ChannelViolation.self, "bit \(bit)") { try responder.receive(changed) }
            #expect(!responder.isOpen)
        }
    }

    @Test func `Another network is refused by the initiator`() throws {
        var pair = ChannelPair(responderNetwork: NetworkID(name: "elsewhere"))
        let second = try pair.responder.receive(pair.initiator.start()).sent
        #expect(throws: ChannelViolation.handshakeRefused(.decryptionFailed)) { try pair.initiator.receive(second) }
    }

    @Test func `The node that was called is let in`() throws {
        var pair = ChannelPair(expecting: NodeID(raw: ChannelPair.key(2).publicKey))
        #expect(try pair.open().initiator.count == 1)
    }

    @Test func `Another node hears nothing more`() throws {
        var pair = ChannelPair(expecting: NodeID(raw: ChannelPair.key(7).publicKey))
        let second = try pair.responder.receive(pair.initiator.start()).sent
        #expect(throws: ChannelViolation.wrongNode(pair.responderID)) { try pair.initiator.receive(second) }
        #expect(!pair.initiator.isOpen)
    }

    @Test(arguments: [0, 1, 31, 33, 96, 65_535])
    func `A first message of another length is refused at its length`(length: Int) {
        var pair = ChannelPair()
        let prefix = [UInt8(length >> 8), UInt8(length & 255)]
        #expect(throws: ChannelViolation.noiseMessageLength(length)) { try pair.responder.receive(prefix) }
    }

    @Test(arguments: [0, 32, 95, 97])
    func `A second message of another length is refused at its length`(length: UInt8) {
        var pair = ChannelPair()
        _ = pair.initiator.start()
        #expect(throws: ChannelViolation.noiseMessageLength(Int(length))) { try pair.initiator.receive([0, length]) }
    }

    @Test(arguments: [0, 63, 65])
    func `A third message of another length is refused at its length`(length: UInt8) throws {
        var pair = ChannelPair()
        _ = try pair.responder.receive(pair.initiator.start())
        #expect(throws: ChannelViolation.noiseMessageLength(Int(length))) { try pair.responder.receive([0, length]) }
    }

    /// A key of zeros is of small order: no secret could come of it.
    @Test func `An ephemeral key of small order is refused`() {
        var pair = ChannelPair()
        #expect(throws: ChannelViolation.handshakeRefused(.lowOrderKey)) {
            try pair.responder.receive([0, 32] + [UInt8](repeating: 0, count: 32))
        }
    }

    @Test func `A channel that refused once refuses everything`() throws {
        var pair = ChannelPair()
        let first = pair.initiator.start()
        #expect(throws: ChannelViolation.noiseMessageLength(0)) { try pair.responder.receive([0, 0]) }
        #expect(throws: ChannelViolation.noiseMessageLength(0)) { try pair.responder.receive(first) }
    }

    @Test func `Half a message waits`() throws {
        var pair = ChannelPair()
        let first = pair.initiator.start()
        #expect(try pair.responder.receive(Array(first.dropLast())) == [])
        #expect(try pair.responder.receive([]) == [])
        #expect(try pair.responder.receive(Array(first.suffix(1))).count == 1)
    }

    private static func flipping(_ bit: Int, in bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        return changed
    }
}
