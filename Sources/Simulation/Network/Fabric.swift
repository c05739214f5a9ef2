internal import Sync

/// The owner of one end of a simulated connection: a node or a liar.
protocol Resident: AnyObject {
    func received(_ bytes: [UInt8], on session: SessionID)
    /// The other end has read this many bytes.
    func sent(_ bytes: Int, on session: SessionID)
    /// The connection is closed, by either end; reported once.
    func closed(_ session: SessionID)
}

/// TCP connections between numbered hosts in virtual time, and their faults.
///
/// Bytes arrive in order or not at all. Bytes held by a blocked path arrive when it opens, if the connection is still
/// open.
final class Fabric {
    struct Path: Hashable {
        let from: Int
        let to: Int
    }

    struct Wire {
        let resident: any Resident
        /// Host of this end.
        let host: Int
        /// Host of the other end.
        let peer: Int
        let other: SessionID
        var isOpen = true
        /// The other end is gone without an event.
        var isDead = false
        /// Arrival time of the last bytes sent from this end; later bytes do not overtake them.
        var busyUntil: UInt64 = 0
        /// Pieces held by a blocked path, in order.
        var held: [Piece] = []
    }

    enum Piece {
        case bytes([UInt8])
        case end
    }

    private let seed: UInt64
    /// One-way latency of a path without faults, milliseconds.
    private let latencies: ClosedRange<UInt64>
    private let plan: (UInt64, @escaping () -> Void) -> Void
    private let clock: () -> UInt64
    private var chance: Chance
    var wires: [SessionID: Wire] = [:]
    private var nextSession: UInt64 = 1
    /// Number of faults that block a path.
    var blocked: [Path: Int] = [:]
    /// Additional latency of a path, milliseconds.
    var delays: [Path: UInt64] = [:]
    /// Bytes a second that a host reads of each connection.
    var readers: [Int: UInt64] = [:]
    private(set) var bytes: UInt64 = 0
    /// Traffic by host.
    private var tallies: [Int: WireTally] = [:]

    init(
        seed: UInt64,
        latencies: ClosedRange<UInt64> = FaultMeasures.Measure.path.usual,
        clock: @escaping () -> UInt64,
        plan: @escaping (UInt64, @escaping () -> Void) -> Void
    ) {
        self.seed = seed
        self.latencies = latencies
        self.clock = clock
        self.plan = plan
        chance = Chance(seed: seed ^ 0x6661_6272_6963)
    }

    // MARK: Connections

    /// Opens a connection; returns the session ids of the caller and the callee.
    func connect(_ caller: any Resident, host: Int, to callee: any Resident, host peer: Int) -> (SessionID, SessionID) {
        let here = SessionID(raw: nextSession)
        let there = SessionID(raw: nextSession + 1)
        nextSession += 2
        wires[here] = Wire(resident: caller, host: host, peer: peer, other: there)
        wires[there] = Wire(resident: callee, host: peer, peer: host, other: here)
        for end in [host, peer] { tallies[end, default: WireTally()].opened += 1 }
        return (here, there)
    }

    func tally(_ host: Int) -> WireTally { tallies[host] ?? WireTally() }

    /// Counts an attempt to connect, successful or not.
    func noteDial(from host: Int) { tallies[host, default: WireTally()].dials += 1 }

    func isOpen(_ session: SessionID) -> Bool { wires[session]?.isOpen ?? false }

    func transmit(_ data: [UInt8], from session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        tallies[wire.host, default: WireTally()].pieces += 1
        tallies[wire.host, default: WireTally()].bytes += UInt64(data.count)
        guard !wire.isDead else { return }
        bytes += UInt64(data.count)
        deliverLater(.bytes(data), from: session, wire)
    }

    /// Closes this end; the other end closes behind the bytes in flight.
    func hangUp(_ session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        if !wire.isDead { deliverLater(.end, from: session, wire) }
        finish(session)
    }

    func deliverLater(_ piece: Piece, from session: SessionID, _ wire: Wire) {
        var arrival = max(clock() + latency(Path(from: wire.host, to: wire.peer)), wire.busyUntil)
        if case .bytes(let data) = piece, let rate = readers[wire.peer] {
            arrival += UInt64(data.count) * 1_000 / rate
        }
        wires[session]?.busyUntil = arrival
        plan(arrival) { [unowned self] in arrive(piece, at: wire.other) }
    }

    private func arrive(_ piece: Piece, at session: SessionID) {
        guard let wire = wires[session], wire.isOpen, !wire.isDead else { return }
        if blocked[Path(from: wire.peer, to: wire.host)] != nil || !wire.held.isEmpty {
            wires[session]?.held.append(piece)
            return
        }
        hand(piece, to: session, wire)
    }

    func hand(_ piece: Piece, to session: SessionID, _ wire: Wire) {
        switch piece {
        case .bytes(let data):
            if let other = wires[wire.other], other.isOpen { other.resident.sent(data.count, on: wire.other) }
            // One delivery in eight is split at a random place, as TCP may do.
            guard data.count > 1, chance.next() % 8 == 0 else { return wire.resident.received(data, on: session) }
            let cut = 1 + Int(chance.next() % UInt64(data.count - 1))
            wire.resident.received(Array(data[..<cut]), on: session)
            if wires[session]?.isOpen == true { wire.resident.received(Array(data[cut...]), on: session) }
        case .end: finish(session)
        }
    }

    /// Closes this end; its owner gets the event at this moment, but not within the present call.
    func finish(_ session: SessionID) {
        guard let wire = wires[session], wire.isOpen else { return }
        wires[session]?.isOpen = false
        wires[session]?.held = []
        tallies[wire.host, default: WireTally()].closed += 1
        plan(clock()) { [unowned self] in
            wires[session] = nil
            wire.resident.closed(session)
        }
    }

    /// One-way latency, milliseconds: a base that is constant for each pair of hosts, and up to a quarter more at
    /// random; more with a delay.
    func latency(_ path: Path) -> UInt64 {
        var mixed = Chance(seed: seed ^ UInt64(min(path.from, path.to)) << 32 ^ UInt64(max(path.from, path.to)))
        let width = latencies.upperBound - latencies.lowerBound + 1
        let base = latencies.lowerBound + mixed.next() % width + (delays[path] ?? 0)
        return base + chance.next() % (base / 4 + 1 + (delays[path] ?? 0))
    }
}
