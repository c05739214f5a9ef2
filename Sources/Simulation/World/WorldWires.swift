import Sync

/// The connections of a `World`, each with its two ends, and the pairs of nodes that are cut off from each other.
struct WorldWires {
    /// One end of a connection.
    struct Wire {
        /// Nil: the caller plays this end (`openRaw`).
        let node: Int?
        let other: SessionID
        fileprivate(set) var isOpen = true
        /// Arrival time of the last bytes sent from this end; later bytes do not overtake them.
        fileprivate(set) var busyUntil: UInt64 = 0
        fileprivate(set) var isReading = true
        /// Bytes that arrived and that this end has not read.
        fileprivate var unread: [[UInt8]] = []

        fileprivate init(node: Int?, other: SessionID) {
            self.node = node
            self.other = other
        }
    }

    private var wires: [SessionID: Wire] = [:]
    private var nextSession: UInt64 = 1
    private var cuts: Set<[Int]> = []
    /// Total bytes that were sent.
    private(set) var bytes: UInt64 = 0

    subscript(_ session: SessionID) -> Wire? { wires[session] }

    /// The ends at a node, ascending; closed ones too.
    func sessions(of node: Int) -> [SessionID] {
        wires.keys.sorted().filter { wires[$0]?.node == node }
    }

    /// Both ends of each open connection between two nodes, ascending.
    func openSessions(between first: Int, _ second: Int) -> [SessionID] {
        wires.keys.sorted().filter { session in
            guard let wire = wires[session], wire.isOpen, let other = wires[wire.other]?.node else { return false }
            return Set([wire.node, other]) == [first, second]
        }
    }

    mutating func open(from caller: Int?, to callee: Int) -> (here: SessionID, there: SessionID) {
        let here = SessionID(raw: nextSession)
        let there = SessionID(raw: nextSession + 1)
        nextSession += 2
        wires[here] = Wire(node: caller, other: there)
        wires[there] = Wire(node: callee, other: here)
        return (here, there)
    }

    /// Closes one end; false if it is closed, or there is none.
    mutating func close(_ session: SessionID) -> Bool {
        guard wires[session]?.isOpen == true else { return false }
        wires[session]?.isOpen = false
        return true
    }

    /// Notes that so many bytes were sent from this end, and when they arrive.
    mutating func send(_ count: Int, from session: SessionID, arrivingAt moment: UInt64) {
        bytes += UInt64(count)
        wires[session]?.busyUntil = moment
    }

    // MARK: Reading

    mutating func setReading(_ isReading: Bool, at session: SessionID) {
        wires[session]?.isReading = isReading
    }

    /// Neither side of any present connection of the node reads any more.
    mutating func silence(_ node: Int) {
        for session in sessions(of: node) {
            setReading(false, at: session)
            if let other = wires[session]?.other { setReading(false, at: other) }
        }
    }

    /// Keeps bytes that arrived until the end reads them.
    mutating func keep(_ bytes: [UInt8], at session: SessionID) {
        wires[session]?.unread.append(bytes)
    }

    mutating func takeUnread(_ session: SessionID) -> [[UInt8]] {
        let unread = wires[session]?.unread ?? []
        wires[session]?.unread = []
        return unread
    }

    // MARK: Cuts

    mutating func cut(_ first: Int, _ second: Int) {
        cuts.insert([min(first, second), max(first, second)])
    }

    mutating func heal(_ first: Int, _ second: Int) {
        cuts.remove([min(first, second), max(first, second)])
    }

    func isCut(_ first: Int, _ second: Int) -> Bool {
        cuts.contains([min(first, second), max(first, second)])
    }
}
