import Entries
import Simulation
import Sodium

/// A store around another one, which does all that this does not do in its own way.
protocol StoreAround: WorldStore {
    var store: LightStore { get }
}

extension StoreAround {
    func begin(_ run: StoreID) throws -> StoreState { try store.begin(run) }
    func take(_ batch: TakeBatch) throws -> TakeReport { try store.take(batch) }
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] { try store.prefixes(of: logs) }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        try store.ranges(wants, byteLimit: byteLimit)
    }

    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? { try store.prefixNodes(of: log, end: end) }
    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? { try store.prefixProof(of: log, end: end) }
    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? { try store.nodes(of: log, at: place) }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        try store.bodies(places, byteLimit: byteLimit)
    }

    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try store.append(text, by: &author, at: time)
    }
}
