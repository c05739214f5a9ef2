import Entries
import Simulation
import Sodium
import Testing

/// A cursor that ran ahead of its entries is seen, and one that did not is not.
@Suite struct CursorCheckerTests {
    private let peer = NodeID(raw: Author.bytes(1, "peer"))
    private let node = NodeID(raw: Author.bytes(6, "node"))
    private let store = StoreID(Author.bytes(2, "store").bytes.prefix(StoreID.count))
    private let log = LogID(raw: Author.bytes(3, "log"))

    private func row(_ size: UInt64, number: UInt64, source: NodeID? = nil) -> FrontierRow {
        FrontierRow(
            identity: IdentityID(raw: Author.bytes(4, "identity")),
            item: FrontierItem(log: log, size: size, root: .zero),
            time: 1,
            number: number,
            source: source
        )
    }

    /// The peer's change 7 brought five entries.
    private func there(from source: NodeID?) throws -> StoreState {
        let store = try #require(store)
        return StoreState(
            store: store,
            number: 9,
            frontier: [row(5, number: 7, source: source)],
            pending: [],
            ranges: [StoreIDRange(store: store, first: 1, last: 9)],
            cursors: [],
            wants: [],
            wantedBodies: [],
            setAside: [],
            own: nil,
            standings: [],
            gaps: []
        )
    }

    private func look(
        _ held: UInt64,
        upTo number: UInt64,
        wants: [LogSize] = [],
        from source: NodeID? = nil,
        ended: Set<IdentityID> = [],
        written: [LogID] = [],
        unreadable: Set<LogID> = []
    ) throws -> String? {
        let own = try #require(StoreID(Author.bytes(5, "own").bytes.prefix(StoreID.count)))
        let here = StoreState(
            store: own,
            number: 3,
            frontier: held > 0 ? [row(held, number: 2)] : [],
            pending: [],
            ranges: [],
            cursors: [.init(peer: peer, cursor: Cursor(store: try #require(store), number: number))],
            wants: wants,
            wantedBodies: [],
            setAside: [],
            own: nil,
            standings: [],
            gaps: []
        )
        let there = try there(from: source)
        return CursorChecker.look(
            at: here,
            on: node,
            of: peer,
            with: there,
            ended: ended,
            written: written,
            unreadable: unreadable
        )
    }

    @Test func `What is held no more or was written here is no matter of the cursor`() throws {
        #expect(try look(0, upTo: 7) != nil)
        #expect(try look(0, upTo: 7, ended: [row(0, number: 1).identity]) == nil)
        #expect(try look(0, upTo: 7, ended: [IdentityID(raw: Author.bytes(9, "another"))]) != nil)
        #expect(try look(0, upTo: 7, written: [log]) == nil)
        #expect(try look(0, upTo: 7, unreadable: [log]) == nil)
        #expect(try look(1, upTo: 7, unreadable: [log]) != nil, "it was known")
        #expect(try look(0, upTo: 7, written: [LogID(raw: Author.bytes(9, "another"))]) != nil)
    }

    @Test func `A cursor behind or at what is held is right`() throws {
        #expect(try look(5, upTo: 7) == nil)
        #expect(try look(6, upTo: 9) == nil)
        #expect(try look(0, upTo: 6) == nil, "that change comes yet")
        #expect(try look(4, upTo: 9, wants: [LogSize(log: log, size: 5)]) == nil, "it is wanted, and asked for again")
        #expect(try look(0, upTo: 10) == nil, "a number that the peer lost with its home says nothing")
    }

    @Test func `A cursor that ran ahead is seen`() throws {
        for held: UInt64 in [0, 4] {
            #expect(try look(held, upTo: 7) != nil)
            #expect(try look(held, upTo: 7, from: peer) != nil)
        }
    }

    @Test func `A want that is smaller than what was passed excuses nothing`() throws {
        for size: UInt64 in [3, 4] {
            #expect(try look(2, upTo: 7, wants: [LogSize(log: log, size: size)]) != nil)
            #expect(try look(0, upTo: 7, wants: [LogSize(log: log, size: size)]) != nil)
        }
        for size: UInt64 in [5, 6] { #expect(try look(2, upTo: 7, wants: [LogSize(log: log, size: size)]) == nil) }
        let other = LogID(raw: Author.bytes(9, "another"))
        #expect(try look(2, upTo: 7, wants: [LogSize(log: other, size: 5)]) != nil)
    }

    @Test func `What this node brought the peer it is not told again`() throws {
        #expect(try look(4, upTo: 7, from: node) == nil)
    }
}
