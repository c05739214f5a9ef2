import Entries
import Sodium

/// Connections: how they are opened, and how their bytes become messages (`protocol/channel.md` §3).
extension NodeMachine {
    /// Begins the handshake on a new connection, or turns the connection away.
    mutating func open(_ id: SessionID, _ direction: Direction, ephemeral: AgreementKey) {
        var address: PeerAddress?
        var expected: NodeID?
        var admission = Session.Admission.peer
        switch direction {
        case .outgoing(let dial):
            address = peers.address(of: dial)
            expected = address.flatMap { peers.target($0)?.node }
            peers.opened(dial, id)
            // The address was removed meanwhile, so the node that is to answer there is not known.
            if let address, peers.target(address) == nil {
                dialSchedule.invalidate()
                return turnAway(id)
            }
        case .incoming(let host):
            address = host.map { PeerAddress(host: $0, port: 0) }
            makeRoomForStranger(from: host)
            guard let welcome = self.admission(for: host) else { return turnAway(id) }
            admission = welcome
        }
        // A dial may succeed while the node stops.
        guard phase == .running else { return turnAway(id) }
        let key = configuration.key
        var channel: SecureChannel
        var first: [UInt8]?
        switch direction {
        case .outgoing:
            channel = .initiator(
                in: configuration.network,
                as: key,
                ephemeral: ephemeral,
                expecting: expected,
                secret: configuration.secret
            )
            first = channel.start()
        case .incoming:
            channel = .responder(
                in: configuration.network,
                as: key,
                ephemeral: ephemeral,
                secret: configuration.secret
            )
        }
        sessions[id] = Session(
            id: id,
            direction: direction,
            admission: admission,
            address: address,
            channel: channel,
            now: time
        )
        order.append(id)
        if let first { transmit(id, first) }
    }

    /// Closes a connection before any byte is sent.
    private mutating func turnAway(_ id: SessionID) {
        closing.insert(id)
        effects.append(.close(id))
    }

    /// Takes bytes off the stream; the messages in them wait until they are read.
    mutating func take(_ bytes: [UInt8], from id: SessionID) {
        guard sessions.contains(id) else { return }
        sessions[id]?.heardAt = time
        sessions[id]?.bytesReceived += UInt64(bytes.count)
        var events: [ChannelEvent] = []
        var violation: ChannelViolation?
        do throws(ChannelViolation) {
            try sessions[id]?.channel.receive(bytes, into: &events)
        } catch {
            violation = error
        }
        for event in events {
            // A message may have ended the session: the rest is not read.
            guard sessions.contains(id) else { return }
            switch event {
            case .send(let bytes): transmit(id, bytes)
            case .established(let remote): established(id, remote)
            case .message(let frame): sessions[id]?.unread.append(.frame(frame))
            }
        }
        // Queued behind the messages before it, however the bytes were cut.
        if let violation { sessions[id]?.unread.append(.violation(violation)) }
    }

    /// Whether complete messages of the session are unread: more of its bytes have to wait.
    package func hasUnread(_ id: SessionID) -> Bool { sessions[id]?.unread.isEmpty == false }

    /// Reads a session's messages, for one turn or all of them.
    mutating func read(_ id: SessionID, _ extent: ReadingExtent) {
        var room =
            switch extent {
            case .whole: Int.max
            case .inTurns: Limits.turnItems
            }
        while room > 0, let item = sessions[id]?.unread.popFirst() {
            switch item {
            case .frame(let frame): room -= take(frame, from: id, atMost: room)
            case .rest(let message, let cost):
                room -= take(message, costing: cost, from: id, atMost: room)
            case .violation(let violation): refuse(id, violation)
            }
            // Checked after each message, since one turn may bring many questions with large answers.
            if sessions[id]?.waitingBytes ?? 0 > Limits.queueHardBytes { close(id, nil, reason: .notReading) }
        }
    }

    private mutating func refuse(_ id: SessionID, _ violation: ChannelViolation) {
        switch violation {
        case .wrongNode(let found):
            if let address = sessions[id]?.address, let target = peers.target(address), let expected = target.node {
                peers.met(impostor: found, at: address)
                switch target.origin {
                case .listed: effects.append(.report(.wrongNode(address, expected: expected, found: found)))
                case .learned:
                    // Whoever told of it was wrong, or lied: nothing that a person has to decide.
                    dialSchedule.invalidate()
                    effects.append(.learnPeers(peers.learned))
                }
            }
            close(id, nil)
        case .handshakeRefused: violated(id, .handshake)
        case .noiseMessageLength where sessions[id]?.node == nil: violated(id, .handshake)
        case .noiseMessageLength, .decryptionFailed: garbled(id)
        case .messageLength: violated(id, .messageLength)
        }
    }

    /// Closes a connection on which something came that does not decrypt. Whoever is on the way could have changed it,
    /// so that it costs the peer no more than a lost connection: one bit a day would else keep two honest nodes apart
    /// (`protocol/sync.md` §12).
    private mutating func garbled(_ id: SessionID) {
        guard let session = sessions[id] else { return }
        if isTold(.violation, of: session) {
            effects.append(.report(.violation(session.node, session.address, .decryption, backoffMilliseconds: 0)))
        }
        close(id, nil)
    }
}
