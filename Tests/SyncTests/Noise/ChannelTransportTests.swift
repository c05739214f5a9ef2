import Entries
import Sodium
import Sync
import Testing

struct ChannelTransportTests {
    @Test func `One byte at a time gives what one piece gives`() throws {
        let frames = [
            Frame(type: 1, body: []), Frame(type: 2, body: [1, 2, 3]),
            Frame(type: 255, body: [UInt8](repeating: 7, count: 70_000)), Frame(type: 3, body: [9]),
        ]
        var pair = ChannelPair()
        var established = 0
        func isEstablished(_ event: ChannelEvent) -> Bool {
            if case .established = event { true } else { false }
        }
        var toResponder = pair.initiator.start()
        while !toResponder.isEmpty {
            var toInitiator: [UInt8] = []
            for byte in toResponder {
                let events = try pair.responder.receive([byte])
                established += events.count(where: isEstablished)
                toInitiator += events.sent
            }
            toResponder = []
            for byte in toInitiator {
                let events = try pair.initiator.receive([byte])
                established += events.count(where: isEstablished)
                toResponder += events.sent
            }
        }
        #expect(established == 2)

        let bytes = pair.initiator.seal(frames)
        var whole = pair.responder
        #expect(try whole.receive(bytes).frames == frames)
        var received: [Frame] = []
        for byte in bytes { received += try pair.responder.receive([byte]).frames }
        #expect(received == frames)
    }

    @Test func `Messages pass both ways in any pieces`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = Seeded(state: seed)
        var pair = try ChannelPair.opened(initiatorInterval: 3, responderInterval: 3)
        for _ in 0..<40 {
            let frames = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                let count = Bool.random(using: &generator) ? 40 : 200_000
                let body = [UInt8](
                    repeating: .random(in: 0 ... .max, using: &generator),
                    count: .random(in: 0...count, using: &generator)
                )
                return Frame(type: .random(in: 0 ... .max, using: &generator), body: body)
            }
            var bytes = pair.initiator.seal(frames)[...]
            var received: [Frame] = []
            while !bytes.isEmpty {
                let piece = bytes.prefix(Int.random(in: 1...150_000, using: &generator))
                received += try pair.responder.receive(Array(piece)).frames
                bytes = bytes.dropFirst(piece.count)
            }
            #expect(received == frames, "seed \(seed)")
            let answer = pair.responder.seal(frames)
            #expect(try pair.initiator.receive(answer).frames == frames, "seed \(seed)")
        }
    }

    @Test func `Small messages share a Noise message and large ones fill several`() throws {
        var pair = try ChannelPair.opened()
        let small = pair.initiator.seal([Frame(type: 1, body: []), Frame(type: 2, body: [1])])
        #expect(small.count == 2 + 5 + 6 + 16)
        #expect(Array(small.prefix(2)) == [0, 27])
        let large = pair.initiator.seal([Frame(type: 1, body: [UInt8](repeating: 0, count: 65_515))])
        #expect(large.count == 2 + 65_535 + 2 + 1 + 16)
        #expect(Array(large.prefix(2)) == [255, 255])
        #expect(Array(large[65_537...65_538]) == [0, 17])
        #expect(pair.initiator.seal([]) == [])
    }

    @Test func `The largest message passes`() throws {
        var pair = try ChannelPair.opened()
        let frame = Frame(type: 4, body: [UInt8](repeating: 5, count: 1_048_575))
        let bytes = pair.initiator.seal([frame, frame])
        #expect(try pair.responder.receive(bytes).frames == [frame, frame])
    }

    @Test func `A frame is its length, its type and its body`() throws {
        var peer = try Peer()
        #expect(try peer.say([0, 0, 0, 3, 7, 8, 9]) == [.message(Frame(type: 7, body: [8, 9]))])
        #expect(try peer.say([0, 0]) == [])
        #expect(try peer.say([0, 1, 6]) == [.message(Frame(type: 6, body: []))])
    }

    @Test(arguments: [0, 1_048_577, UInt32.max])
    func `A message's length out of range is refused before its type`(length: UInt32) throws {
        var peer = try Peer()
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        #expect(throws: ChannelViolation.messageLength(length)) { try peer.say(bytes) }
    }

    @Test func `The largest length is waited for`() throws {
        var peer = try Peer()
        #expect(try peer.say([0, 16, 0, 0]) == [])
    }

    @Test(arguments: [0, 1, 15, 16])
    func `A Noise message without plaintext is refused at its length`(length: UInt8) throws {
        var pair = try ChannelPair.opened()
        #expect(throws: ChannelViolation.noiseMessageLength(Int(length))) { try pair.responder.receive([0, length]) }
    }

    @Test func `An empty Noise message is refused although its tag fits`() throws {
        var peer = try Peer()
        #expect(throws: ChannelViolation.noiseMessageLength(16)) { try peer.say([]) }
    }

    @Test func `Every flipped bit of a transport message is refused`() throws {
        var pair = try ChannelPair.opened()
        let bytes = pair.initiator.seal([Frame(type: 1, body: [1, 2, 3])])
        for bit in 16..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            var responder = pair.responder
            #expect(throws: ChannelViolation.decryptionFailed, "bit \(bit)") { try responder.receive(changed) }
        }
    }

    @Test func `A message left out, repeated or sent back is refused`() throws {
        var pair = try ChannelPair.opened()
        let first = pair.initiator.seal([Frame(type: 1, body: [])])
        let second = pair.initiator.seal([Frame(type: 2, body: [])])
        var skipping = pair.responder
        #expect(throws: ChannelViolation.decryptionFailed) { try skipping.receive(second) }
        var repeating = pair.responder
        #expect(throws: ChannelViolation.decryptionFailed) { try repeating.receive(first + first) }
        #expect(throws: ChannelViolation.decryptionFailed) { try pair.initiator.receive(first) }
    }

    @Test func `A cut stream gives what was whole`() throws {
        var pair = try ChannelPair.opened()
        let bytes =
            pair.initiator.seal([Frame(type: 1, body: [1])]) + pair.initiator.seal([Frame(type: 2, body: [2])])
        #expect(try pair.responder.receive(bytes.dropLast()).frames == [Frame(type: 1, body: [1])])
    }
}

/// An initiator made by hand, which can say what no channel would.
private struct Peer {
    private var pair = ChannelPair()
    private var cipher: CipherState

    init() throws {
        var handshake = HandshakeState(
            .mutual,
            role: .initiator,
            prologue: Array("scurry/1".utf8) + ChannelPair.network.bytes,
            keys: HandshakeState.Keys(staticKey: pair.initiatorKey, ephemeral: ChannelPair.key(9))
        )
        let answer = try pair.responder.receive([0, 32] + handshake.write([])).sent
        _ = try handshake.read(Array(answer.dropFirst(2)))
        _ = try pair.responder.receive([0, 64] + handshake.write([]))
        cipher = handshake.split().sending
    }

    /// Sends one Noise message with this plaintext.
    mutating func say(_ plaintext: [UInt8]) throws -> [ChannelEvent] {
        let sealed = cipher.encrypt(plaintext, associated: [])
        return try pair.responder.receive([UInt8(sealed.count >> 8), UInt8(sealed.count & 255)] + sealed)
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
