import Entries
import Sodium
import Sync

/// Two channels of one network and the bytes between them.
struct ChannelPair {
    static let network = NetworkID(name: "campus")

    let initiatorKey = Self.key(1)
    let responderKey = Self.key(2)
    var initiator: SecureChannel
    var responder: SecureChannel

    init(
        expecting expected: NodeID? = nil,
        responderNetwork: NetworkID = Self.network,
        initiatorInterval: UInt64 = Limits.rekeyIntervalMessages,
        responderInterval: UInt64 = Limits.rekeyIntervalMessages
    ) {
        initiator = .initiator(
            in: Self.network,
            as: initiatorKey,
            ephemeral: Self.key(3),
            expecting: expected,
            rekeyInterval: initiatorInterval
        )
        responder = .responder(
            in: responderNetwork,
            as: responderKey,
            ephemeral: Self.key(4),
            rekeyInterval: responderInterval
        )
    }

    var initiatorID: NodeID { NodeID(raw: initiatorKey.publicKey) }
    var responderID: NodeID { NodeID(raw: responderKey.publicKey) }

    /// Does the handshake; returns the events that are not bytes to send.
    mutating func open() throws -> (initiator: [ChannelEvent], responder: [ChannelEvent]) {
        var atResponder = try responder.receive(initiator.start())
        var atInitiator = try initiator.receive(atResponder.sent)
        atResponder += try responder.receive(atInitiator.sent)
        atInitiator.removeAll(where: \.isSend)
        atResponder.removeAll(where: \.isSend)
        return (atInitiator, atResponder)
    }

    /// A pair of which both sides are open.
    static func opened(
        initiatorInterval: UInt64 = Limits.rekeyIntervalMessages,
        responderInterval: UInt64 = Limits.rekeyIntervalMessages
    ) throws -> ChannelPair {
        var pair = ChannelPair(initiatorInterval: initiatorInterval, responderInterval: responderInterval)
        _ = try pair.open()
        return pair
    }

    static func key(_ byte: UInt8) -> AgreementKey {
        var bytes = [UInt8](repeating: byte, count: 32)
        guard let key = AgreementKey(secret: SecretBytes(moving: &bytes)) else { fatalError("32 bytes are a key") }
        return key
    }
}

extension [ChannelEvent] {
    /// All bytes to send, in order.
    var sent: [UInt8] {
        reduce(into: []) { bytes, event in
            if case .send(let more) = event { bytes += more }
        }
    }

    var frames: [Frame] {
        reduce(into: []) { frames, event in
            if case .message(let frame) = event { frames.append(frame) }
        }
    }
}

extension ChannelEvent {
    var isSend: Bool {
        if case .send = self { true } else { false }
    }
}
