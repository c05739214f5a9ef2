import Entries
import Simulation
import Sodium

/// The store of a node that gives no history away: what was left out of a log it has never got, as it says.
final class WithholdingStore: WorldStore {
    let store: LightStore
    var isOpen = false
    private(set) var refusals = 0

    init(_ store: LightStore) {
        self.store = store
    }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        var answers: [RangeAnswer] = []
        for want in wants {
            if case .until = want.extent, !isOpen {
                refusals += 1
                answers.append(.lacking(want.log))
            } else {
                answers += try store.ranges([want], byteLimit: byteLimit)
            }
        }
        return answers
    }

    func begin(_ run: StoreID) throws -> StoreState { try store.begin(run) }
    func take(_ batch: TakeBatch) throws -> TakeReport { try store.take(batch) }
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] { try store.prefixes(of: logs) }
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
