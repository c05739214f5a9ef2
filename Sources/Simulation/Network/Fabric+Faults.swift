internal import Sync

/// Faults of connections and paths.
extension Fabric {
    /// The open session ids of a host, in the order in which they were made; a connection to itself has both.
    func sessions(of host: Int) -> [SessionID] {
        wires.filter { $0.value.host == host && $0.value.isOpen }.keys.sorted()
    }

    /// The open connections, each by the session id of the dialling end.
    var openSessions: [SessionID] { wires.filter { $0.value.isOpen && $0.key.raw % 2 == 1 }.keys.sorted() }

    /// Closes both ends, each with an event; bytes in flight are lost.
    func reset(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        finish(session)
        finish(wire.other)
    }

    /// Removes this end, as a power cut does: neither side gets an event.
    func abandon(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        wires[session] = nil
        wires[wire.other]?.isDead = true
    }

    /// Stops all delivery on a connection, with no event at either end.
    func fallSilent(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        wires[session]?.isDead = true
        wires[wire.other]?.isDead = true
    }

    /// Removes this end, as a killed process does: its system closes the connection, and the other end gets an event.
    func drop(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        if wire.isOpen, !wire.isDead { deliverLater(.end, from: session, wire) }
        wires[session] = nil
    }

    func block(_ path: Path) { blocked[path, default: 0] += 1 }

    func unblock(_ path: Path) {
        guard let count = blocked[path] else { return }
        blocked[path] = count > 1 ? count - 1 : nil
        if count == 1 { release(path) }
    }

    func isBlocked(_ path: Path) -> Bool { blocked[path] != nil }

    /// Delivers the pieces that the blocked path held, in order.
    private func release(_ path: Path) {
        let waiting = wires.filter { $0.value.host == path.to && $0.value.peer == path.from && !$0.value.held.isEmpty }
        for session in waiting.keys.sorted() {
            let pieces = wires[session]?.held ?? []
            wires[session]?.held = []
            for piece in pieces {
                guard let wire = wires[session], wire.isOpen else { break }
                hand(piece, to: session, wire)
            }
        }
    }

    /// Adds latency to a path, in milliseconds; nil: none.
    func setDelay(_ path: Path, _ milliseconds: UInt64?) { delays[path] = milliseconds }

    /// Limits how many bytes a second a host reads of each connection; nil: no limit.
    func setReading(_ host: Int, bytesPerSecond rate: UInt64?) { readers[host] = rate }

    /// Ends all blocks, delays and reading limits.
    func heal() {
        let paths = blocked.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        blocked = [:]
        delays = [:]
        readers = [:]
        for path in paths { release(path) }
    }
}
