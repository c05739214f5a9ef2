internal import Entries
internal import Sodium
@testable internal import Sync

/// A channel whose partner is honest, and a wire that changes, cuts and replaces what the partner says.
///
/// It opens only over what the partner said, tells no message that the partner did not say, and a violation is the end.
enum HandshakeFuzz {
    private static let network = NetworkID(name: "campus")
    /// The keys of the vectors (`protocol/vectors/channel.json`), so that their messages are what these two would say.
    private static let initiator = (key: key(0x00), ephemeral: key(0x20))
    private static let responder = (key: key(0x40), ephemeral: key(0x60))
    private static let stranger = key(0x80)
    private static let networkSecret = secret()

    /// How far the two came, and what was said last.
    private struct Meeting {
        var tested: SecureChannel
        var partner: SecureChannel
        /// The partner's key.
        let other: Bytes32
        /// What the partner said last, and the tested side has not heard.
        var said: [UInt8]
        var told: [Frame] = []
        var violation: ChannelViolation?
    }

    /// Of each kind of handshake the beginning, and what follows from each message that came as it was said: an
    /// agreement costs as much as everything that the fuzzer is after.
    nonisolated(unsafe) private static var meetings: [UInt8: [Meeting]] = [:]

    static func run(_ input: inout FuzzInput) {
        let flags = input.byte() & 15
        let isInitiator = flags & 1 != 0
        let secret = flags & 2 == 0 ? nil : networkSecret
        let partner = isInitiator ? responder.key : initiator.key
        let expected: NodeID? = flags & 4 == 0 ? nil : NodeID(raw: (flags & 8 == 0 ? partner : stranger).publicKey)
        var wire = Wire(input)
        var meeting = meetings[flags]?.first ?? begin(isInitiator, secret, expected)
        if meetings[flags] == nil { meetings[flags] = [meeting] }
        for step in 1...2 where !meeting.said.isEmpty {
            let pieces = wire.pieces(of: meeting.said)
            if pieces.count == 1, wire.isTrue, let known = meetings[flags], known.indices.contains(step) {
                meeting = known[step]
                continue
            }
            let answer = deliver(pieces, &meeting)
            meeting.said = answer.isEmpty ? [] : carry(answer, to: &meeting.partner)
            if wire.isTrue, meetings[flags]?.count == step { meetings[flags]?.append(meeting) }
        }
        let length = isInitiator ? 98 : (secret == nil ? 34 : 50) + 66
        if meeting.tested.isOpen, !wire.isTrue(upTo: length) { broken("the channel opened over what nobody said") }
        if meeting.tested.isOpen, let expected, isInitiator, expected.raw != partner.publicKey {
            broken("the wrong node answered")
        }

        var sent: [Frame] = []
        while meeting.partner.isOpen, !wire.isAtEnd, meeting.violation == nil, sent.count < 64 {
            let frame = wire.frame()
            sent.append(frame)
            let pieces = wire.pieces(of: meeting.partner.seal([frame]))
            if !deliver(pieces, &meeting).isEmpty { broken("a handshake message after the handshake") }
        }
        let (told, violation) = (meeting.told, meeting.violation)
        if !sent.starts(with: told) { broken("a message that the partner did not say") }
        if wire.isTrue, violation == nil, meeting.tested.isOpen, told.count != sent.count {
            broken("a message is lost")
        }
        if wire.isTrue, violation != nil, expected == nil || !isInitiator { broken("a true channel was refused") }
        if let violation { checkIsOver(&meeting.tested, violation) }
    }

    private static func begin(_ isInitiator: Bool, _ secret: SecretBytes?, _ expected: NodeID?) -> Meeting {
        var first = SecureChannel.initiator(
            in: network,
            as: initiator.key,
            ephemeral: initiator.ephemeral,
            expecting: isInitiator ? expected : nil,
            secret: secret
        )
        var second = SecureChannel.responder(
            in: network,
            as: responder.key,
            ephemeral: responder.ephemeral,
            secret: secret
        )
        let opening = first.start()
        guard isInitiator else {
            return Meeting(tested: second, partner: first, other: initiator.key.publicKey, said: opening)
        }
        let answer = carry(opening, to: &second)
        return Meeting(tested: first, partner: second, other: responder.key.publicKey, said: answer)
    }

    /// What the partner answers to what the tested side says.
    private static func carry(_ bytes: [UInt8], to partner: inout SecureChannel) -> [UInt8] {
        let events = (try? partner.receive(bytes)) ?? []
        return events.flatMap { event -> [UInt8] in if case .send(let bytes) = event { bytes } else { [] } }
    }

    /// What the tested side answers.
    private static func deliver(_ pieces: [[UInt8]], _ meeting: inout Meeting) -> [UInt8] {
        var answer: [UInt8] = []
        for piece in pieces where meeting.violation == nil {
            var events: [ChannelEvent] = []
            do throws(ChannelViolation) {
                try meeting.tested.receive(piece, into: &events)
            } catch {
                meeting.violation = error
            }
            for event in events {
                switch event {
                case .send(let bytes): answer += bytes
                case .message(let frame): meeting.told.append(frame)
                case .established(let remote):
                    if remote.raw != meeting.other { broken("somebody else is there") }
                }
            }
        }
        return answer
    }

    private static func checkIsOver(_ channel: inout SecureChannel, _ violation: ChannelViolation) {
        do throws(ChannelViolation) {
            _ = try channel.receive([0, 17])
            broken("a channel goes on after a violation")
        } catch {
            if error != violation { broken("another violation the second time") }
        }
    }

    /// 32 bytes, each one more than the one before.
    private static func key(_ first: UInt8) -> AgreementKey {
        guard let key = AgreementKey(secret: .copying(Array(first..<first + 32))) else { broken("32 bytes") }
        return key
    }

    private static func secret() -> SecretBytes {
        guard let secret = NetworkSecret(.copying(Array("correct horse battery".utf8))) else { broken("21 bytes") }
        return secret.presharedKey(in: network)
    }

    /// What happens to bytes on their way.
    private struct Wire {
        private var input: FuzzInput
        private var said: [UInt8] = []
        private var delivered: [UInt8] = []

        init(_ input: FuzzInput) {
            self.input = input
        }

        var isAtEnd: Bool { input.isAtEnd }
        /// Nothing was changed so far.
        var isTrue: Bool { said == delivered }

        func isTrue(upTo count: Int) -> Bool {
            delivered.count >= count && said.prefix(count) == delivered.prefix(count)
        }

        mutating func frame() -> Frame {
            Frame(type: input.byte(), body: input.take(Int(input.byte())))
        }

        mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
            said += bytes
            var changed = bytes
            var size = Int.max
            switch input.byte() % 8 {
            case 1:
                let place = input.short()
                let mask = input.byte()
                if changed.indices.contains(place) { changed[place] ^= mask }
            case 2: changed.removeLast(min(changed.count, Int(input.byte())))
            case 3: changed = input.take(input.short())
            case 4: changed += input.take(Int(input.byte()))
            case 5: size = 1 + Int(input.byte())
            default: break
            }
            delivered += changed
            guard size < changed.count else { return [changed] }
            return stride(from: 0, to: changed.count, by: size).map {
                Array(changed[$0..<min($0 + size, changed.count)])
            }
        }
    }
}
