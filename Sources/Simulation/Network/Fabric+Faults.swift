internal import Sync

/// What goes wrong with connections and paths.
extension Fabric {
    /// Every connection of a host, each by both of its ends, in the order in which they were made.
    func sessions(of host: Int) -> [SessionID] {
        wires.filter { $0.value.host == host && $0.value.isOpen }.keys.sorted()
    }

    /// Every open connection, by the end that dialled.
    var openSessions: [SessionID] { wires.filter { $0.value.isOpen && $0.key.raw % 2 == 1 }.keys.sorted() }

    /// Both ends hear that the connection is gone, and what is on its way is lost.
    func reset(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        finish(session)
        finish(wire.other)
    }

    /// The holder of this end is gone, and hears nothing any more; the other end hears nothing either.
    func abandon(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        wires[session] = nil
        wires[wire.other]?.isDead = true
    }

    /// Neither end hears of the other any more, and neither is told.
    func fallSilent(_ session: SessionID) {
        guard let wire = wires[session] else { return }
        wires[session]?.isDead = true
        wires[wire.other]?.isDead = true
    }

    /// The holder of this end is gone; its system closes what it had open.
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

    /// What the path held up arrives, in order.
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

    /// A path's latency rises by so many milliseconds; nil: it is as it was.
    func setDelay(_ path: Path, _ milliseconds: UInt64?) { delays[path] = milliseconds }

    /// A host reads so many bytes a second of each connection; nil: whatever comes.
    func setReading(_ host: Int, bytesPerSecond rate: UInt64?) { readers[host] = rate }

    /// Nothing is blocked, delayed or slow any more.
    func heal() {
        let paths = blocked.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        blocked = [:]
        delays = [:]
        readers = [:]
        for path in paths { release(path) }
    }
}
