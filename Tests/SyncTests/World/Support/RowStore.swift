import Entries
import Simulation
import Sodium

/// A store that says that it holds very many logs, and has none of them.
final class RowStore: WorldStore {
    private let count: Int

    init(logs count: Int) {
        self.count = count
    }

    func begin(_ run: StoreID) throws -> StoreState {
        let rows = (0..<UInt64(count)).map { number in
            FrontierRow(
                identity: IdentityID(raw: Author.bytes(number, "identity")),
                item: FrontierItem(
                    log: LogID(raw: Author.bytes(number, "log")),
                    size: 1,
                    root: Author.bytes(number, "root")
                ),
                time: number * 1_000,
                number: number + 1,
                source: nil
            )
        }
        return StoreState(
            store: run,
            number: UInt64(count),
            frontier: rows,
            pending: [],
            ranges: [StoreIDRange(store: run, first: UInt64(count), last: UInt64(count))],
            cursors: [],
            wants: [],
            wantedBodies: [],
            setAside: [],
            own: nil,
            standings: [],
            gaps: []
        )
    }

    func take(_ batch: TakeBatch) throws -> TakeReport { .nothing }
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] { [:] }
    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] { wants.map { .lacking($0.log) } }
    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? { nil }
    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? { nil }
    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? { nil }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        places.map { BodyAnswer(place: $0, payload: nil) }
    }

    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        throw LightStoreError.doesNotFit
    }
}
