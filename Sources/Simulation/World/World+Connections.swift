package import Sync

/// The connections between nodes, and those whose other end the caller plays: they open and close, carry bytes, and
/// are cut, silenced or paused.
extension World {
    /// Total bytes that were sent on connections.
    package var wireBytes: UInt64 { wires.bytes }

    /// Refuses dials between two nodes until `heal`, and breaks their open connections.
    package func cut(_ first: Int, _ second: Int) {
        wires.cut(first, second)
        for session in wires.openSessions(between: first, second) { hangUp(session) }
    }

    package func heal(_ first: Int, _ second: Int) {
        wires.heal(first, second)
    }

    /// Stops delivery on all present connections of a node, both ways, without closing them, as a dead machine does.
    ///
    /// Neither side gets an event. Bytes that are sent stay in the unread queues.
    package func silence(_ node: Int) {
        wires.silence(node)
    }

    /// Pauses or resumes reading on all present connections of a node.
    package func setReading(_ reading: Reading, _ node: Int) {
        for session in wires.sessions(of: node) { setReading(reading, session) }
    }

    package enum Reading: Hashable, Sendable {
        case reading
        case paused
    }

    /// Opens one connection, dialled by `first`, at this moment; it is none of the nodes' own dials, and ignores `cut`.
    package func connect(_ first: Int, _ second: Int) {
        open(from: first, DialID(raw: .max), to: second)
    }

    /// Opens a connection that a node dialled: both nodes get its event.
    func open(from caller: Int, _ dial: DialID, to callee: Int) {
        let (here, there) = wires.open(from: caller, to: callee)
        give(callee, .opened(there, .incoming(host: Self.address(of: caller).host), ephemeral: drawKey()))
        give(caller, .opened(here, .outgoing(dial), ephemeral: drawKey()))
    }

    package func isOpen(_ session: SessionID) -> Bool { wires[session]?.isOpen ?? false }

    package func hangUp(_ session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        close(session)
        // Bytes in flight arrive before the close.
        plan(.hangUp(wire.other), at: max(now + drawLatency(), wire.busyUntil))
    }

    /// Closes one end, if it is open, and tells its node.
    func close(_ session: SessionID) {
        guard wires.close(session), let node = wires[session]?.node else { return }
        plan(.event(node, nodes[node].life, .closed(session)), at: now)
    }

    // MARK: Ends that the caller plays

    /// Opens an incoming connection to a node, whose other end the caller plays: bytes for it are kept until `takeRaw`.
    package func openRaw(to node: Int, host: String? = "stranger") -> SessionID {
        let (here, there) = wires.open(from: nil, to: node)
        give(node, .opened(there, .incoming(host: host), ephemeral: drawKey()))
        return here
    }

    /// Opens a connection that the node dialled, whose other end the caller plays.
    package func openRaw(from node: Int, _ dial: DialID = DialID(raw: .max)) -> SessionID {
        let (here, there) = wires.open(from: nil, to: node)
        give(node, .opened(there, .outgoing(dial), ephemeral: drawKey()))
        return here
    }

    /// Pauses or resumes reading at an end that the caller plays.
    package func setReading(_ reading: Reading, _ session: SessionID) {
        wires.setReading(reading == .reading, at: session)
        guard reading == .reading else { return }
        for bytes in wires.takeUnread(session) { deliver(bytes, to: session) }
    }

    package func sendRaw(_ bytes: [UInt8], from session: SessionID) {
        transmit(bytes, from: session)
    }

    /// Removes and returns the bytes that arrived at an end that the caller plays; empty while reading is paused.
    package func takeRaw(_ session: SessionID) -> [UInt8] {
        guard wires[session]?.isReading == true else { return [] }
        return wires.takeUnread(session).flatMap { $0 }
    }

    // MARK: Bytes

    func transmit(_ bytes: [UInt8], from session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        let arrival = max(now + drawLatency(), wire.busyUntil)
        wires.send(bytes.count, from: session, arrivingAt: arrival)
        plan(.arrival(wire.other, bytes), at: arrival)
    }

    func deliver(_ bytes: [UInt8], to session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        guard wire.isReading else { return wires.keep(bytes, at: session) }
        tellSent(bytes.count, on: wire.other)
        guard let node = wire.node else { return wires.keep(bytes, at: session) }
        var rest = bytes[...]
        while !rest.isEmpty, wires[session]?.isOpen == true {
            let piece = rest.prefix(drawPiece(rest.count))
            rest = rest.dropFirst(piece.count)
            give(node, .received(session, Array(piece), .inTurns))
            while nodes[node].machine?.hasUnread(session) == true { give(node, .readOn(session)) }
        }
    }

    private func tellSent(_ bytes: Int, on session: SessionID) {
        guard let wire = wires[session], wire.isOpen, let node = wire.node else { return }
        give(node, .sent(session, bytes: bytes))
    }
}
